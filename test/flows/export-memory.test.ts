// Own process: it measures the heap, which others would fill.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { feedRow, payoutRow } from '../support/payout-rows.ts'
import { insertRows, openTwoMerchants, type TwoMerchants } from '../support/rows.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { csvLine } from '../../src/platform/http/csv/csv-line.ts'
import { exportLines, findPayout } from '../../src/modules/payouts/find-payouts.ts'
import { exportPeriod } from '../../src/modules/payouts/bookkeeping/export.ts'

const lines = 40_000
let two: TwoMerchants

before(async () => {
  two = await openTwoMerchants()
  await insertRows(two.db, 'payout_feeds', [feedRow({ merchant_id: two.own })])
  await insertRows(two.db, 'payouts', [
    payoutRow({ merchant_id: two.own, id: 'po_1', lines: 'copied', gross_minor: 1000n }),
  ])
  await two.db.query(sql`
    insert into payout_lines (merchant_id, account_id, reference, mode, kind, type, currency, gross_minor, fee_minor,
      tax_minor, net_minor, booked_at, available_at, payout_id)
    select ${two.own}::integer, 'acc_stripe', 'txn_' || n, 'live', 'payment', 'charge', 'EUR', 1000, 34, 6, 960,
      timestamptz '2026-11-01 12:00Z' + n * interval '30 seconds', '2026-11-20', 'po_1'
    from generate_series(1, ${lines}::integer) as n`)
})
after(() => two.close())

/** What is kept, in the heap or beside it. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Takes a file as a slow reader does: a piece, and then the next one. Rows on their way come and go with each look, so the
 * least of many looks at the second half is compared with the least at the first.
 */
async function growthOf(pieces: AsyncIterable<string | Buffer>): Promise<void> {
  const looks: number[] = []
  let [piece, bytes] = [0, 0]
  for await (const { length } of pieces) {
    piece += 1
    bytes += length
    if (piece > 8 && piece % 3 === 0) looks.push(keptBytes())
  }
  assert.ok(piece >= 79, `only ${piece} pieces`)
  const half = Math.floor(looks.length / 2)
  const grown = Math.min(...looks.slice(half)) - Math.min(...looks.slice(0, half))
  // Keeping the rows or the text would be half of what was written, or more; code that is compiled meanwhile takes some, too.
  assert.ok(grown < bytes / 8, `${grown} bytes more, and ${bytes} were written`)
}

test('an export of a period keeps nothing of what it has written', async () => {
  const period = { merchantId: two.own, mode: 'live', from: '2026-11-01', to: '2026-11-30' } as const
  const { pieces } = await exportPeriod(
    two.db,
    'csv',
    { ...period, timeZone: 'UTC', currency: '' },
    { by: bySystem, now: new Date('2026-12-01T09:00:00Z') },
  )
  await growthOf(pieces)
})

test('the lines of a payout as a file keep nothing of what was written', async () => {
  const payout = await findPayout(two.db, { merchantId: two.own, mode: 'live', id: 'po_1' })
  async function* pieces(): AsyncGenerator<string> {
    for await (const page of exportLines(two.db, payout).pages)
      yield page.map((cells) => csvLine(cells)).join('')
  }
  await growthOf(pieces())
})
