import { warnOfOldBackup } from '../backup/warn-of-old-backup.ts'
import { linkStyles } from '../checkout/links/page.ts'
import { savedMethodStyles } from '../checkout/saved/page.ts'
import type { Kept } from '../jobs/pruning.ts'
import type { NotificationEvent } from '../notifications/events.ts'
import { disputeMails } from '../notifications/mail/dispute-email.ts'
import type { MailWriter } from '../notifications/mail/mail-writer.ts'
import { payoutMails } from '../notifications/mail/payout-email.ts'
import { refundMails } from '../notifications/mail/refund-email.ts'
import type { PayingDeps } from '../payments/attempts/paying.ts'
import { dailyTotals } from '../payments/daily-totals/count-totals.ts'
import { eventsOfPayments } from '../payments/sample-transaction.ts'
import { indexAgain } from '../payments/search/index-payments.ts'
import type { Recount } from '../payments/slots/recount.ts'
import { rebuildLineSums } from '../payouts/rebuild-sums.ts'
import { eventsOfPayouts } from '../payouts/sample-event.ts'
import { eventsOfRefunds } from '../refunds/sample-refund.ts'
import { recountRefunds } from '../refunds/totals/recount.ts'
import { oldRequests } from '../request-log/old-requests.ts'
import { makeRequestLog, noRequestLog, type RequestLog } from '../request-log/request-log.ts'
import { eventsOfMethods } from '../saved-methods/api/webhooks.ts'
import { makeSavedMethods } from '../saved-methods/settle.ts'
import type { Config } from '../settings/config.ts'
import type { Base } from './core-services.ts'
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
