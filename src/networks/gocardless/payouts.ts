import type { Account } from '../../core/networks/hosted.ts'
import type { ReportedLine, ReportedPayout } from '../../core/networks/payout-reports.ts'
import { list, type GoCardlessWay } from './client.ts'
import { moneyOf } from './money.ts'
import type { Resources } from './resources.ts'

// GoCardless lists what it did with the money payout by payout, in fractions of a penny. The items of a payout add up to whole
// pennies, so the running sum is rounded, not each item: the lines add up to the payout, and none is a penny off.

type Payout = Resources['payouts']
type Item = Resources['payout_items']

export async function* payouts(
  way: GoCardlessWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<ReportedPayout> {
  const created = { 'created_at[gte]': since.toISOString() }
  const today = way.now().toISOString().slice(0, 10)
  for await (const payout of list(way, account, 'payouts', created, signal)) {
    // Payouts to a partner aren't the merchant's money.
    if ((payout.payout_type ?? 'merchant') === 'merchant') yield payoutOf(payout, today)
  }
}

function payoutOf(payout: Payout, today: string): ReportedPayout {
  const arrivesOn = payout.arrival_date ?? undefined
  return {
    reference: payout.id,
    status: statusOf(payout, arrivesOn === undefined || arrivesOn <= today),
    money: moneyOf(payout),
    madeAt: new Date(payout.created_at),
    arrivesOn,
    bankReference: payout.reference ?? undefined,
    failure: payout.status === 'bounced' ? 'bounced' : undefined,
    lines: 'ready',
  }
}

/** `paid` is the day it was sent: the bank shows it on the day of arrival. */
function statusOf({ status }: Payout, isDue: boolean): ReportedPayout['status'] {
  if (status === 'bounced') return 'failed'
  if (status === 'pending') return 'announced'
  return isDue ? 'arrived' : 'on_its_way'
}

const kinds: Readonly<Record<string, ReportedLine['kind']>> = {
  payment_paid_out: 'payment',
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

export async function* payoutLines(
  way: GoCardlessWay,
  account: Account,
  payout: ReportedPayout,
  signal: AbortSignal,
): AsyncIterable<ReportedLine> {
  let [place, sum] = [0, 0n]
  for await (const item of list(way, account, 'payout_items', { payout: payout.reference }, signal)) {
    place += 1
    const before = round(sum)
    sum += fractionsOf(item.amount)
    yield lineOf(item, payout, { place, netMinor: round(sum) - before })
  }
}

function lineOf(
  item: Item,
  payout: ReportedPayout,
  { place, netMinor }: { place: number; netMinor: bigint },
): ReportedLine {
  const kind = kinds[item.type] ?? 'adjustment'
  const { currency } = payout.money
  const taxes = (item.taxes ?? []).reduce((all, tax) => all + fractionsOf(taxIn(tax, currency)), 0n)
  // The fee holds its tax.
  const taxMinor = kind === 'fee' ? round(taxes) : 0n
  return {
    // Items have no names. Their order in a payout never changes.
    reference: `${payout.reference}/${place}`,
    kind,
    type: item.type,
    currency,
    ...(kind === 'fee'
      ? { grossMinor: 0n, feeMinor: -netMinor - taxMinor, taxMinor }
      : { grossMinor: netMinor, feeMinor: 0n, taxMinor: 0n }),
    chargeReference: item.links?.payment,
    refundReference: item.links?.refund,
    bookedAt: payout.madeAt,
    availableAt: payout.madeAt,
  }
}

type Tax = NonNullable<Item['taxes']>[number]

/** Nothing where the tax is of another currency, and GoCardless doesn't say what it was in this one. */
function taxIn({ amount, currency: own, destination_amount }: Tax, currency: string): string {
  if (own === currency) return amount
  return destination_amount ?? '0'
}

const places = 10
const unit = 10n ** BigInt(places)

/** In ten billionths of a penny: `-12.5`. */
function fractionsOf(amount: string): bigint {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,10})\d*)?$/.exec(amount)
  if (!match) throw new RangeError(`GoCardless said ${amount.slice(0, 40)}`)
  const [, sign, whole = '0', rest = ''] = match
  const value = BigInt(whole) * unit + BigInt(rest.padEnd(places, '0'))
  return sign === '-' ? -value : value
}

/** Half away from zero. */
function round(fractions: bigint): bigint {
  const half = fractions < 0n ? -unit / 2n : unit / 2n
  return (fractions + half) / unit
}
