import { linkStyles } from '../checkout/links/page.ts'
import { savedMethodStyles } from '../checkout/saved/page.ts'
import { disputeMails } from '../notifications/mail/dispute-email.ts'
import type { MailWriter } from '../notifications/mail/mail-writer.ts'
import { payoutMails } from '../notifications/mail/payout-email.ts'
import { refundMails } from '../notifications/mail/refund-email.ts'
import type { SavedMethods } from '../payments/saving/saved-methods.ts'
import { makeSavedMethods } from '../saved-methods/settle.ts'
import type { Base } from './core-services.ts'

// What modules hand to the core before there are payments. What they give after that: open-modules.ts.

export const checkoutStyles: readonly URL[] = [linkStyles, savedMethodStyles]

export const mailWriters: readonly MailWriter[] = [refundMails, disputeMails, payoutMails]

/** In the commits of payments. */
export function inCommit(base: Base): { readonly savedMethods: SavedMethods } {
  return { savedMethods: makeSavedMethods(base) }
}
