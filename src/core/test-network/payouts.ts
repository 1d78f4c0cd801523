import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import { randomHex } from '../../platform/database/random-id.ts'
import type { PayoutReports, ReportedLine, ReportedPayout } from '../networks/payout-reports.ts'
import { courseOf } from './disputes.ts'
import {
  bookingOf,
  insertPayout,
  listCharges,
  listDisputed,
  listPayouts,
  listRefunds,
  type InPayout,
  type TestPayout,
} from './payout-store.ts'

// The test network pays out each day what was booked before midnight (UTC), less fees, so that payouts can be seen without an
// account. A payout is on its way a minute later, and at the bank after two. An amount that ends in 13 is refused by the bank;
// one that ends in 14 is sent back a minute after it arrived.

const minuteMs = 60_000
const dayMs = 86_400_000
/** One payout takes so many bookings of a kind; the next one takes the rest. */
const bookingsMax = 10_000

/** 1.4 % and 20, with a fifth of that as tax. */
export function feeOf(amountMinor: bigint): { feeMinor: bigint; taxMinor: bigint } {
  const feeMinor = (amountMinor * 14n + 500n) / 1_000n + 20n
  return { feeMinor, taxMinor: feeMinor / 5n }
}

const disputeFeeMinor = 1_500n

export function payoutsTo(db: Database, merchantId: number, now: () => Date): PayoutReports {
  return {
    async *payouts(since, signal) {
      signal.throwIfAborted()
      const midnight = new Date(Math.floor(now().getTime() / dayMs) * dayMs)
      await payOut(db, merchantId, { before: midnight, now: now() })
      for (const payout of await listPayouts(db, merchantId, since)) yield reportOf(payout, now())
    },
    async *payoutLines(payout, signal) {
      signal.throwIfAborted()
      yield* await listLines(db, merchantId, payout.reference, now())
    },
    async *bookings(_since, signal) {
      signal.throwIfAborted()
      yield* await listLines(db, merchantId, undefined, now())
    },
    async balance(signal) {
      signal.throwIfAborted()
      const lines = await listLines(db, merchantId, undefined, now())
      const failed = (await listPayouts(db, merchantId, new Date(0))).filter(
        (payout) => reportOf(payout, now()).status === 'failed',
      )
      const sums = new Map<string, bigint>()
      const add = (currency: string, minor: bigint): void =>
        void sums.set(currency, (sums.get(currency) ?? 0n) + minor)
      for (const line of lines) add(line.currency, netOf(line))
      for (const { currency, amount_minor } of failed) add(currency, amount_minor)
      return [...sums].map(([currency, amountMinor]) => ({ currency, amountMinor }))
    },
  }
}

/** Everything booked before then; a negative balance waits until more comes in. */
export async function payOut(
  db: Database,
  merchantId: number,
  at: { readonly before: Date; readonly now: Date },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const lines = await listLines(tx, merchantId, undefined, at.now)
    const booked = lines.filter(({ bookedAt }) => bookedAt < at.before)
    for (const [currency, ofCurrency] of Map.groupBy(booked, (line) => line.currency)) {
      const amountMinor = ofCurrency.reduce((sum, line) => sum + netOf(line), 0n)
      if (amountMinor <= 0n) continue
      const payout = { reference: `tp_${randomHex(24)}`, amountMinor, currency, at: at.now }
      await insertPayout(
        tx,
        merchantId,
        payout,
        ofCurrency.map(({ reference }) => reference),
      )
    }
  })
}

function netOf({ grossMinor, feeMinor, taxMinor }: ReportedLine): bigint {
  return grossMinor - feeMinor - taxMinor
}

function reportOf({ reference, amount_minor, currency, made_at }: TestPayout, now: Date): ReportedPayout {
  const madeAt = new Date(made_at)
  const end = amount_minor % 100n
  const ageMs = now.getTime() - madeAt.getTime()
  const failure = end === 13n ? 'account_closed' : 'returned_by_bank'
  const hasFailed = (end === 13n && ageMs >= 2 * minuteMs) || (end === 14n && ageMs >= 3 * minuteMs)
  return {
    reference,
    status: hasFailed ? 'failed' : statusAt(ageMs),
    money: { amountMinor: amount_minor, currency },
    madeAt,
    arrivesOn: new Date(madeAt.getTime() + 2 * minuteMs).toISOString().slice(0, 10),
    bankReference: `TEST-${reference.slice(-8).toUpperCase()}`,
    failure: hasFailed ? failure : undefined,
    lines: 'ready',
  }
}

function statusAt(ageMs: number): ReportedPayout['status'] {
  if (ageMs < minuteMs) return 'announced'
  return ageMs < 2 * minuteMs ? 'on_its_way' : 'arrived'
}

async function listLines(
  db: Queryable,
  merchantId: number,
  payout: InPayout,
  now: Date,
): Promise<ReportedLine[]> {
  const asked = { now, max: bookingsMax }
  const charges = (await listCharges(db, merchantId, payout, asked)).map((charge) =>
    lineOf('payment', 'charge', bookingOf.charge(charge.reference), charge, {
      grossMinor: charge.amount_minor,
      at: new Date(charge.received_at),
      ...feeOf(charge.amount_minor),
    }),
  )
  const refunds = (await listRefunds(db, merchantId, payout, asked)).map((refund) => ({
    ...lineOf(
      'refund',
      'refund',
      bookingOf.refund(refund.reference),
      { ...refund, reference: refund.charge_reference },
      { grossMinor: -refund.amount_minor, at: new Date(refund.requested_at) },
    ),
    refundReference: refund.reference,
  }))
  const disputed = await listDisputed(db, merchantId, payout)
  const disputes = disputed.flatMap((charge) => {
    const { opens, decided, end } = courseOf(charge)
    const taken = { grossMinor: -charge.amount_minor, feeMinor: disputeFeeMinor, at: opens }
    const back = { grossMinor: charge.amount_minor, at: decided }
    const { reference, takes, gives_back: givesBack } = charge
    return [
      ...(takes && opens <= now
        ? [lineOf('dispute', 'dispute', bookingOf.dispute(reference), charge, taken)]
        : []),
      ...(givesBack && end === 'won' && decided <= now
        ? [lineOf('dispute', 'dispute_won', bookingOf.won(reference), charge, back)]
        : []),
    ]
  })
  return [...charges, ...refunds, ...disputes]
}

function lineOf(
  kind: ReportedLine['kind'],
  type: string,
  reference: string,
  about: { reference: string; payment_number: string; currency: string },
  booked: { grossMinor: bigint; feeMinor?: bigint; taxMinor?: bigint; at: Date },
): ReportedLine {
  const { at, grossMinor, feeMinor = 0n, taxMinor = 0n } = booked
  return {
    reference,
    kind,
    type,
    currency: about.currency,
    grossMinor,
    feeMinor,
    taxMinor,
    chargeReference: about.reference,
    paymentNumber: about.payment_number,
    bookedAt: at,
    // It can be paid out from the next midnight on.
    availableAt: new Date((Math.floor(at.getTime() / dayMs) + 1) * dayMs),
  }
}
