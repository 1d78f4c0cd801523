import { html } from '../../http/html.ts'
import type { PaidOut, PayoutLine } from '../../payouts/find-payouts.ts'
import type { MemberAsk } from '../ask.ts'
import type { Fact } from '../parts/things.ts'
import { money, describeState } from './describe-payout.ts'

/** What the network charged, what is left, and which payout it is in. Nothing until the network has booked it. */
export function paidOutFacts(ask: MemberAsk, { lines, payouts }: PaidOut): Fact[] {
  const [first] = lines
  if (!first) return []
  const { currency } = first
  const same = lines.filter((line) => line.currency === currency)
  const sum = (of: (line: PayoutLine) => bigint): bigint => same.reduce((all, line) => all + of(line), 0n)
  return [
    [
      'Network fee',
      money(
        sum((line) => line.fee_minor),
        currency,
      ),
    ],
    [
      'Tax on the fee',
      sum((line) => line.tax_minor) === 0n
        ? undefined
        : money(
            sum((line) => line.tax_minor),
            currency,
          ),
    ],
    [
      'Net',
      money(
        sum((line) => line.net_minor),
        currency,
      ),
    ],
    [
      'Payout',
      payouts.length === 0
        ? 'Not paid out yet'
        : html`${payouts.map(
            ({ id, state, bank_reference: name }) =>
              html`<a href="${ask.place.home}/payouts/${id}">${name ?? id}</a> (${describeState(state).toLowerCase()})<br />`,
          )}`,
    ],
  ]
}
