import assert from 'node:assert/strict'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { Payout, PayoutLine } from '../../src/modules/payouts/payout.ts'
import { holderOf } from '../../src/modules/payouts/state-machine.ts'
import { netOf, type PayoutNetwork } from './payout-network.ts'

// Promise I16: for every payout that a network reports, lines, entries and balance agree to the minor unit.

type Sums = Record<'sales' | 'fees' | 'taxes' | 'held' | 'on_its_way' | 'arrived', bigint>

export async function checkPayouts(
  db: Database,
  of: { readonly merchantId: number; readonly accountId: string },
  network: PayoutNetwork,
): Promise<void> {
  const { merchantId, accountId } = of
  const payouts = await db.query<Payout>(sql`
    select * from payouts where merchant_id = ${merchantId} and account_id = ${accountId}`)
  const lines = await db.query<PayoutLine>(sql`
    select * from payout_lines where merchant_id = ${merchantId} and account_id = ${accountId}`)
  assert.deepEqual(
    payouts.map(({ reference }) => reference).toSorted(),
    network.payouts.map(({ reference }) => reference).toSorted(),
    'every payout is here once',
  )
  for (const payout of payouts) {
    const reported = network.payouts.find(({ reference }) => reference === payout.reference) ?? assert.fail()
    assert.equal(payout.amount_minor, reported.money.amountMinor)
    const own = lines.filter(({ payout_id }) => payout_id === payout.id)
    if (payout.lines !== 'copied') continue
    assert.equal(own.length, payout.line_count, 'every line of a payout is here')
    assert.equal(
      own.reduce((sum, { net_minor }) => sum + net_minor, 0n),
      payout.amount_minor,
      'the lines of a payout are its amount',
    )
    const told = own.filter(({ kind }) => kind !== 'difference')
    assert.deepEqual(
      told.map(({ reference }) => reference).toSorted(),
      network
        .linesOf(payout.reference)
        .map(({ reference }) => reference)
        .toSorted(),
    )
  }
  for (const line of lines.filter(({ kind }) => kind !== 'difference')) {
    const booked = network.lines.find(({ reference }) => reference === line.reference) ?? assert.fail()
    assert.equal(line.net_minor, netOf(booked))
  }
  await checkLedger(db, of, { payouts, lines })
  await checkLineSums(db, of, lines)
}

async function checkLineSums(
  db: Database,
  { merchantId, accountId }: { readonly merchantId: number; readonly accountId: string },
  lines: readonly PayoutLine[],
): Promise<void> {
  const [sums] = await db.query(sql`
    select coalesce(sum(line_count), 0)::integer as count, coalesce(sum(gross_minor), 0)::bigint as gross,
      coalesce(sum(fee_minor), 0)::bigint as fees, coalesce(sum(tax_minor), 0)::bigint as taxes
    from payout_line_sums where merchant_id = ${merchantId} and account_id = ${accountId}`)
  const sum = (name: 'gross_minor' | 'fee_minor' | 'tax_minor'): bigint =>
    lines.reduce((all, line) => all + line[name], 0n)
  assert.deepEqual(
    sums,
    { count: lines.length, gross: sum('gross_minor'), fees: sum('fee_minor'), taxes: sum('tax_minor') },
    'the sums of hours are those of the lines',
  )
}

async function checkLedger(
  db: Database,
  { merchantId, accountId }: { readonly merchantId: number; readonly accountId: string },
  { payouts, lines }: { readonly payouts: readonly Payout[]; readonly lines: readonly PayoutLine[] },
): Promise<void> {
  const expected: Sums = { sales: 0n, fees: 0n, taxes: 0n, held: 0n, on_its_way: 0n, arrived: 0n }
  for (const line of lines) {
    expected.sales -= line.gross_minor
    expected.fees += line.fee_minor
    expected.taxes += line.tax_minor
    expected.held += line.net_minor
  }
  for (const { state, amount_minor } of payouts) {
    expected.held -= amount_minor
    expected[holderOf(state)] += amount_minor
  }
  const [opening] = await db.query<{ held: bigint }>(sql`
    select coalesce(sum(held_minor), 0)::bigint as held from entries
    where merchant_id = ${merchantId} and account_id = ${accountId} and source like 'opening:%'`)
  expected.held += opening?.held ?? 0n
  expected.sales -= opening?.held ?? 0n
  const [entries] = await db.query<Sums>(sql`
    select coalesce(sum(sales_minor), 0)::bigint as sales, coalesce(sum(fees_minor), 0)::bigint as fees,
      coalesce(sum(taxes_minor), 0)::bigint as taxes, coalesce(sum(held_minor), 0)::bigint as held,
      coalesce(sum(on_its_way_minor), 0)::bigint as on_its_way, coalesce(sum(arrived_minor), 0)::bigint as arrived
    from entries where merchant_id = ${merchantId} and account_id = ${accountId}`)
  const [balance] = await db.query<Sums>(sql`
    select coalesce(sum(sales_minor), 0)::bigint as sales, coalesce(sum(fees_minor), 0)::bigint as fees,
      coalesce(sum(taxes_minor), 0)::bigint as taxes, coalesce(sum(held_minor), 0)::bigint as held,
      coalesce(sum(on_its_way_minor), 0)::bigint as on_its_way, coalesce(sum(arrived_minor), 0)::bigint as arrived
    from balances where merchant_id = ${merchantId} and account_id = ${accountId}`)
  assert.deepEqual(entries, expected, 'entries are what lines and payouts say')
  assert.deepEqual(balance, expected, 'the balance is the sum of entries')
}
