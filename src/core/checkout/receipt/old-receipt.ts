import { paidAt } from '../pages/receipt.ts'
import type { PageModel } from '../page-model.ts'
import { screenOf, type Screen } from '../screens.ts'
import { isSameToken, type Sign } from '../token.ts'

// A link to a receipt lives on in mailboxes, browsers and a shop's records long after its customer has forgotten it. So
// after half a year the payment's e-mail address is required before a name is shown. There are no cookies: the right
// address gives a URL that works for a while.

const dayMs = 86_400_000
const openDays = 180
export const proofMinutes = 30

/** Money was taken. That some or all of it went back since is a line of the receipt, not the end of it. */
const receiptScreens: ReadonlySet<Screen> = new Set(['paid', 'refunded', 'reversed'])

export function hasReceipt(model: PageModel): boolean {
  return receiptScreens.has(screenOf(model))
}

/** Whether the receipt is shown only to who knows its e-mail address, and this one has not shown that yet. */
export function asksForEmail(model: PageModel): boolean {
  if (!hasReceipt(model) || model.receiptProof !== undefined) return false
  return model.now.getTime() - Date.parse(paidAt(model)) > openDays * dayMs
}

/** As people type it: whatever the case of its letters. */
export function isEmailOf(model: PageModel, typed: string): boolean {
  return isSameToken(comparable(model.view.payment.email), comparable(typed))
}

function comparable(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

export type ReceiptProofs = {
  make(digits: string): Promise<string>
  /** For this payment, and not too old. */
  isGood(digits: string, proof: string): Promise<boolean>
}

export function makeReceiptProofs(sign: Sign, now: () => Date): ReceiptProofs {
  // No token of a form reads so: those begin with a mode.
  const signed = async (digits: string, until: string): Promise<string> =>
    `${until}.${await sign(`receipt ${until} ${digits}`)}`
  return {
    make: async (digits) => signed(digits, (now().getTime() + proofMinutes * 60_000).toString(36)),
    async isGood(digits, proof) {
      const until = proof.split('.', 1)[0] ?? ''
      const isTimely = /^[0-9a-z]{1,10}$/.test(until) && Number.parseInt(until, 36) >= now().getTime()
      return isTimely && isSameToken(await signed(digits, until), proof)
    },
  }
}
