import { linkStyles } from '../checkout/links/page.ts'
import { savedMethodStyles } from '../checkout/saved/page.ts'
import { disputeMails } from '../notifications/mail/dispute-email.ts'
import type { MailWriter } from '../notifications/mail/mail-writer.ts'
import { payoutMails } from '../notifications/mail/payout-email.ts'
import { refundMails } from '../notifications/mail/refund-email.ts'
import type { PayingDeps } from '../payments/attempts/paying.ts'
import { dailyTotals } from '../payments/daily-totals/count-totals.ts'
import { indexAgain } from '../payments/search/index-payments.ts'
import { makeSavedMethods } from '../saved-methods/settle.ts'
import type { Base } from './core-services.ts'

// What modules hand to the core before there are payments. What they give after that: open-modules.ts.

export const checkoutStyles: readonly URL[] = [linkStyles, savedMethodStyles]

export const mailWriters: readonly MailWriter[] = [refundMails, disputeMails, payoutMails]

/** In the commits of payments. */
export function inCommit(base: Base): Pick<PayingDeps, 'savedMethods' | 'totals' | 'reworded'> {
  return { savedMethods: makeSavedMethods(base), totals: dailyTotals, reworded: indexAgain }
}
