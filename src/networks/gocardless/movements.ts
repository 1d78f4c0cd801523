import type { Account, Movement } from '../../core/networks/hosted.ts'
import { list, type GoCardlessWay } from './client.ts'
import { moneyOf } from './money.ts'
import type { Resources } from './resources.ts'

// GoCardless keeps no list of balance transactions; its payouts list what happened to the money, item by item.

type Payout = Resources['payouts']
type Item = Resources['payout_items']

const kinds: Readonly<Record<string, Movement['kind']>> = {
  payment_paid_out: 'charge',
  // A debit that failed after it was paid.
  payment_failed: 'dispute',
  payment_refunded: 'refund',
  refund: 'refund',
  refund_funds_returned: 'refund',
  payment_charged_back: 'dispute',
  gocardless_fee: 'fee',
  app_fee: 'fee',
  surcharge_fee: 'fee',
}

export async function* movements(
  way: GoCardlessWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<Movement> {
  const payouts: Payout[] = []
  const created = { 'created_at[gte]': since.toISOString() }
  for await (const payout of list(way, account, 'payouts', created, signal)) payouts.push(payout)
  for (const payout of payouts.toReversed()) {
    const at = new Date(payout.created_at)
    let place = 0
    for await (const item of list(way, account, 'payout_items', { payout: payout.id }, signal)) {
      yield movementOf(item, payout, `${payout.id}/${(place += 1)}`, at)
    }
    const { amountMinor, currency } = moneyOf(payout)
    yield { kind: 'payout', reference: payout.id, money: { amountMinor: -amountMinor, currency }, at }
  }
}

function movementOf(item: Item, { currency }: Payout, reference: string, at: Date): Movement {
  return {
    kind: kinds[item.type] ?? 'other',
    reference,
    chargeReference: item.links?.payment,
    refundReference: item.links?.refund,
    money: { amountMinor: wholeMinor(item.amount), currency },
    at,
  }
}

/** Items may hold fractions of a penny, as fees do: `-12.5`. Rounded half away from zero. */
export function wholeMinor(amount: string): bigint {
  const match = /^(-?)(\d{1,15})(?:\.(\d)\d*)?$/.exec(amount)
  if (!match) throw new RangeError(`GoCardless said ${amount.slice(0, 40)}`)
  const [, sign, whole = '0', tenth = '0'] = match
  const minor = BigInt(whole) + (Number(tenth) >= 5 ? 1n : 0n)
  return sign === '-' ? -minor : minor
}
