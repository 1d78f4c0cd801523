import { isCurrency } from '../../../platform/money/currencies.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import { refusedPayouts } from '../refused-payouts.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { networkName } from '../../../dashboard/network-name.ts'
import type { Matter } from '../../../dashboard/slots.ts'
import { describeFailure } from '../describe-failure.ts'

const shownMax = 3

/** Payouts that the bank refused or sent back. */
export async function payoutMatters(ask: MemberAsk): Promise<readonly Matter[]> {
  const { merchant, mode, role, home } = ask.place
  if (!hasRight(role, 'payments.view')) return []
  const payouts = await refusedPayouts(ask.core.db, { merchantId: merchant.id, mode })
  return payouts.slice(0, shownMax).map((payout) => {
    const { id, amount_minor: minor, currency, state } = payout
    const sum = isCurrency(currency) ? displayAmount(minor, currency, 'en-GB') : `${minor} ${currency}`
    const what = state === 'returned' ? 'Your bank sent back' : 'Your bank didn’t get'
    return {
      tone: 'bad',
      title: `${what} a payout of ${sum}`,
      detail: `${describeFailure(payout)} The money is with ${networkName(ask, payout.connector)}.`,
      to: `${home}/payouts/${id}`,
      action: 'View payout',
    }
  })
}
