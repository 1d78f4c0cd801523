import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { feedRow, payoutRow } from '../../../../test/support/payout-rows.ts'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../../test/support/rows.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { listAudit } from '../../../core/audit/list-audit.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { listLeftOver, matchStatement, type StatementResult } from './match-statement.ts'

let two: TwoMerchants
/** Of the audit log. */
const any = { since: undefined, until: undefined, subject: undefined }

before(async () => {
  two = await openTwoMerchants()
  for (const merchant_id of [two.own, two.other]) {
    await insertRows(two.db, 'payout_feeds', [feedRow({ merchant_id })])
    await insertRows(two.db, 'payouts', [
      payoutRow({ merchant_id, id: 'po_1', amount_minor: 66_000n, bank_reference: 'STRIPE-77A' }),
      payoutRow({ merchant_id, id: 'po_2', amount_minor: 12_345n }),
      payoutRow({ merchant_id, id: 'po_3', amount_minor: 999n }),
      payoutRow({ merchant_id, id: 'po_4', amount_minor: 888n, state: 'on_its_way' }),
      payoutRow({ merchant_id, id: 'po_test', amount_minor: 777n, mode: 'test' }),
    ])
  }
})
after(() => two.close())

const scope = () => ({ merchantId: two.own, mode: 'live' as const })

async function match(rows: string[], currency?: string): Promise<StatementResult> {
  const text = ['Date;Amount;Currency;IBAN;Text', ...rows].join('\n')
  return matchStatement(two.db, scope(), { pieces: [Buffer.from(text)], currency }, bySystem)
}

const told = ({ matches, leftovers }: StatementResult): string[] => [
  ...matches.map(({ payoutId, by }) => `${payoutId} ${by}`),
  ...leftovers.map(({ why, entry }) => `${why} ${entry.amountMinor}`),
]

const first = [
  '17.11.2026;660,00;EUR;DE1;Stripe STRIPE 77 A',
  '18.11.2026;123,45;EUR;DE1;a transfer',
  '18.11.2026;55,00;EUR;DE1;Stripe something',
  '18.11.2026;-900,00;EUR;DE1;Mrs Jones, rent',
  '18.11.2026;7,77;EUR;DE1;Stripe net_po_test',
]

test('payouts are marked as seen, and only entries about payouts are stored', async () => {
  const result = await match(first)
  assert.deepEqual(told(result), ['po_1 reference', 'po_2 amount', 'unknown 5500', 'unknown 777'])
  assert.equal(result.entryCount, 5)
  const stored = (await storedRows(two.db, 'bank_entries', two.own)).join()
  assert.ok(!stored.includes('Jones'))
  assert.deepEqual(await storedRows(two.db, 'bank_entries', two.other), [])
})

test('importing the same file again changes nothing', async () => {
  const stored = await storedRows(two.db, 'bank_entries', two.own)
  const result = await match(first)
  assert.deepEqual(told(result), ['unknown 5500', 'unknown 777'])
  assert.equal(result.knownCount, 2)
  assert.deepEqual(await storedRows(two.db, 'bank_entries', two.own), stored)
})

test('unmatched entries and payouts are listed on both sides', async () => {
  const { isGiven, payouts, entries } = await listLeftOver(two.db, scope(), 100)
  assert.deepEqual(
    payouts.map(({ id }) => id),
    ['po_3'],
  )
  assert.deepEqual(
    entries.map(({ amount_minor, why, payout }) => [amount_minor, why, payout?.id]),
    [
      [5500n, 'unknown', undefined],
      [777n, 'unknown', undefined],
    ],
  )
  assert.equal(isGiven, true)
  const elsewhere = await listLeftOver(two.db, { merchantId: two.other, mode: 'live' }, 100)
  assert.deepEqual([elsewhere.isGiven, elsewhere.entries], [false, []])
})

test('an unmatched entry finds a payout that the network reports later', async () => {
  await insertRows(two.db, 'payouts', [
    payoutRow({ merchant_id: two.own, id: 'po_late', amount_minor: 5500n }),
  ])
  assert.deepEqual(told(await match(['20.11.2026;1,00;EUR;DE1;coffee'])), ['po_late amount', 'unknown 777'])
})

test('a payout the bank returned keeps its arrival, with the return beside it', async () => {
  assert.deepEqual(told(await match(['25.11.2026;-660,00;EUR;DE1;RETURN STRIPE-77A'])), [
    'po_1 return',
    'unknown 777',
  ])
  const stored = await storedRows(two.db, 'bank_entries', two.own)
  assert.equal(stored.filter((row) => row.includes('"payout_id":"po_1"')).length, 2)
})

test('two simultaneous files match each payout once', async () => {
  const rows = ['17.11.2026;9,99;EUR;DE1;Stripe net_po_3']
  const both = await Promise.all([match(rows), match(rows)])
  assert.equal(both.flatMap(({ matches }) => matches).length, 1)
})

test('a truncated file stores nothing', async () => {
  const stored = await storedRows(two.db, 'bank_entries', two.own)
  await assert.rejects(match(['17.11.2026;8,88;EUR;DE1;net_po_4', '17.11.2026;1,00;EUR;DE1;"']), (error) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual(error.errors, { file: ['The file is cut off within quotes'] })
    return true
  })
  assert.deepEqual(await storedRows(two.db, 'bank_entries', two.own), stored)
})

test('each matched file is audited with its number of entries, and none of their contents', async () => {
  const entries = await listAudit(two.db, two.own, { action: 'bank_statement.matched', ...any, limit: 99 })
  assert.deepEqual(entries.at(-1)?.after, { mode: 'live', entries: 5, matched: 2, left_over: 2 })
})
