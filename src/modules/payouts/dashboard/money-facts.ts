import { html, type Html } from '../../../platform/http/html.ts'
import { moneyWords, netOf, type MoneySums } from '../../../platform/money/money-words.ts'
import type { PaymentRow, ShownMethod } from '../../../core/payments/find-payment.ts'
import type { PaidOut } from '../find-payouts.ts'
import { feesOf, sumsOfPayment, type PaymentSums } from '../payment-sums.ts'
import type { ShownRefund } from '../../../dashboard/slots.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { networkName } from '../../../dashboard/network-name.ts'
import type { Fact } from '../../../dashboard/parts/things.ts'
import { money, describeState } from './describe-payout.ts'

// The money of one payment or refund: its movements, its network's fees and its payout.

export function paymentMoney(ask: MemberAsk, payment: PaymentRow, paidOut: PaidOut): Fact[] {
  const sums = sumsOfPayment(payment, paidOut.lines)
  if (sums.grossMinor === 0n) return []
  const { currency } = sums
  return [
    [moneyWords.refunds, minus(sums.refundsMinor, currency)],
    [moneyWords.disputes, minus(sums.disputesMinor, currency)],
    [moneyWords.networkFees, sums.isReported ? fees(sums) : notReported(ask, payment)],
    [
      moneyWords.net,
      sums.isReported ? net(sums) : html`${net(sums)} <span class="quiet">before network fees</span>`,
    ],
    [
      moneyWords.platformFee,
      payment.charge_minor === 0n
        ? undefined
        : html`${money(payment.charge_minor, currency)} <span class="quiet">not in net</span>`,
    ],
    ['Payout', sums.isReported ? payoutsOf(ask, paidOut) : undefined],
  ]
}

/** The shop's share of a payment of which so much is left to refund. */
export function describeKept(payment: PaymentRow, leftMinor: bigint, paidOut: PaidOut): Html {
  const refundsMinor = payment.amount_minor - leftMinor
  const sums = { ...sumsOfPayment(payment, paidOut.lines), refundsMinor }
  const words = sums.isReported
    ? 'Your network usually keeps its fees.'
    : 'Less your network’s fees, which it hasn’t reported yet.'
  return html`${net(sums)}<br /><span class="quiet">${words}</span>`
}

/** Nothing until money went back. */
export function refundMoney(ask: MemberAsk, refund: ShownRefund, paidOut: PaidOut): Fact[] {
  if (refund.state !== 'succeeded' && paidOut.lines.length === 0) return []
  const { currency } = refund
  const sums = {
    currency,
    grossMinor: 0n,
    refundsMinor: refund.state === 'succeeded' ? refund.amount_minor : 0n,
    disputesMinor: 0n,
    ...feesOf(paidOut.lines, currency),
  }
  const isReported = paidOut.lines.length > 0
  return [
    [moneyWords.networkFees, isReported ? fees(sums) : 'Not reported yet'],
    [moneyWords.net, net(sums)],
    ['Payout', isReported ? payoutsOf(ask, paidOut) : undefined],
  ]
}

type Fees = Pick<PaymentSums, 'networkFeesMinor' | 'feeTaxMinor' | 'otherFees' | 'currency'>

function minus(minor: bigint, currency: string): Html | undefined {
  return minor === 0n ? undefined : money(-minor, currency)
}

function fees({ networkFeesMinor, feeTaxMinor, otherFees, currency }: Fees): Html {
  const own = otherFees.size > 0 && networkFeesMinor === 0n ? undefined : money(-networkFeesMinor, currency)
  return html`${own}${[...otherFees].map(([code, minor]) => html` ${money(-minor, code)}`)}
  ${feeTaxMinor !== 0n && html`<span class="quiet">with ${money(feeTaxMinor, currency)} tax</span>`}`
}

function net(sums: MoneySums & Fees): Html {
  return html`${money(netOf(sums), sums.currency)}${[...sums.otherFees].map(
    ([code, minor]) => html` <span class="quiet">less ${money(minor, code)} of fees</span>`,
  )}`
}

function notReported(ask: MemberAsk, { paid_with }: PaymentRow): string {
  const network = paid_with === null ? undefined : (JSON.parse(paid_with) as ShownMethod).network
  return `Not reported by ${network === undefined ? 'the network' : networkName(ask, network)} yet`
}

function payoutsOf(ask: MemberAsk, { payouts }: PaidOut): Html | string {
  return payouts.length === 0
    ? 'Not paid out yet'
    : html`${payouts.map(
        ({ id, state, bank_reference: name }) =>
          html`<a href="${ask.place.home}/payouts/${id}">${name ?? id}</a> (${describeState(state).toLowerCase()})<br />`,
      )}`
}
