import type { Module } from '../module.ts'
import { payoutOperations } from './api/operations.ts'
import { addPayouts } from './api/routes.ts'
import { payoutWebhooks } from './api/webhooks.ts'
import { payoutsJob } from './ask/ask-due.ts'
import { payoutAccountsJob } from './ask/follow-accounts.ts'
import { payoutCallbacks } from './callbacks.ts'
import { payoutsCommand, reconcileCommand } from './commands/entries.ts'
import { bookkeepingRoutes } from './dashboard/bookkeeping/handlers.ts'
import { payoutRoutes } from './dashboard/handlers.ts'
import { payoutsPart } from './dashboard/part.ts'
import { bookkeepingSettingsRoutes } from './dashboard/settings/handlers.ts'
import { payoutData } from './data.ts'
import { feesOfFound } from './figures/money-totals.ts'
import { payoutsChapter } from './guide/payouts.ts'
import { payoutMails } from './mail/payout-email.ts'
import { monthlySummariesJob } from './monthly-summary/send-summaries.ts'
import { rebuildLineSums } from './rebuild-sums.ts'
import { eventsOfPayouts } from './sample-event.ts'

export const payouts: Module = {
  name: 'payouts',
  needs: ['refunds'],
  tables: [
    'payouts',
    'payout_history',
    'payout_lines',
    'payout_line_sums',
    'payout_feeds',
    'entries',
    'balances',
    'bank_entries',
    'bookkeeping',
    'bookkeeping_accounts',
    'monthly_summaries',
  ],
  data: payoutData,
  commands: [payoutsCommand, reconcileCommand],
  operations: payoutOperations,
  webhooks: payoutWebhooks,
  groups: { Payouts: 'What networks paid to your bank, and what they still hold.' },
  chapters: { payouts: payoutsChapter },
  events: eventsOfPayouts,
  mails: [payoutMails],
  part: payoutsPart,
  recount: { sums: rebuildLineSums },
  fees: feesOfFound,
  open: (given) => ({
    addRoutes: (server) => addPayouts(server, given),
    jobs: [payoutsJob(given.paying), payoutAccountsJob(given.paying), monthlySummariesJob(given)],
    callbacks: payoutCallbacks(given.paying),
    pages: () => [...payoutRoutes, ...bookkeepingRoutes, ...bookkeepingSettingsRoutes],
  }),
}
