import { warnOfOldBackup } from '../modules/backup/warn-of-old-backup.ts'
import { linkStyles } from '../modules/links/checkout/page.ts'
import { savedMethodStyles } from '../modules/saved-methods/checkout/page.ts'
import type { Kept } from '../platform/jobs/pruning.ts'
import type { NotificationEvent } from '../core/notifications/events.ts'
import { disputeMails } from '../modules/disputes/mail/dispute-email.ts'
import type { MailWriter } from '../core/notifications/mail/mail-writer.ts'
import { payoutMails } from '../modules/payouts/mail/payout-email.ts'
import { refundMails } from '../modules/refunds/mail/refund-email.ts'
import type { PayingDeps } from '../core/payments/attempts/paying.ts'
import { dailyTotals } from '../core/payments/daily-totals/count-totals.ts'
import { eventsOfPayments } from '../core/payments/sample-transaction.ts'
import { indexAgain } from '../core/payments/search/index-payments.ts'
import type { Recount } from '../core/payments/slots/recount.ts'
import { rebuildLineSums } from '../modules/payouts/rebuild-sums.ts'
import { eventsOfPayouts } from '../modules/payouts/sample-event.ts'
import { eventsOfRefunds } from '../modules/refunds/sample-refund.ts'
import { recountRefunds } from '../modules/refunds/totals/recount.ts'
import { oldRequests } from '../modules/request-log/old-requests.ts'
import { makeRequestLog, noRequestLog, type RequestLog } from '../modules/request-log/request-log.ts'
import { eventsOfMethods } from '../modules/saved-methods/api/webhooks.ts'
import { makeSavedMethods } from '../modules/saved-methods/settle.ts'
import type { Config } from '../platform/settings/config.ts'
import type { Base } from '../core/core-services.ts'
import type { Warner } from './warnings.ts'

// What modules hand to the core before there are payments. What they give after that: open-modules.ts.

export const checkoutStyles: readonly URL[] = [linkStyles, savedMethodStyles]

export const mailWriters: readonly MailWriter[] = [refundMails, disputeMails, payoutMails]

/** What merchants can be notified of, in the order of the lists that show them. */
export const events: readonly NotificationEvent[] = [
  ...eventsOfPayments,
  ...eventsOfRefunds,
  ...eventsOfPayouts,
  ...eventsOfMethods,
]

/** For `florin totals rebuild`. */
export const recounts: readonly Recount[] = [recountRefunds, { sums: rebuildLineSums }]

/** What needs attention. */
export const warners: readonly Warner[] = [warnOfOldBackup]

/** Deleted after a time; the core's: retention.ts. */
export function keptByModules(config: Config): readonly Kept[] {
  // 0: none is kept.
  return [{ pruning: oldRequests, days: config.REQUEST_LOG_DAYS }]
}

/** After every answer to a caller with a key. */
export function noteAnswers(config: Config, base: Pick<Base, 'db' | 'metrics' | 'log'>): RequestLog {
  if (config.REQUEST_LOG_DAYS === 0) return noRequestLog
  return makeRequestLog({ ...base, perSecond: config.REQUEST_LOG_PER_SECOND })
}

/** In the commits of payments. */
export function inCommit(base: Base): Pick<PayingDeps, 'savedMethods' | 'totals' | 'reworded'> {
  return { savedMethods: makeSavedMethods(base), totals: dailyTotals, reworded: indexAgain }
}
