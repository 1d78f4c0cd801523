import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { payoutRow } from '../../../test/support/payout-rows.ts'
import { insertRows, openTwoMerchants, type TwoMerchants, type Values } from '../../../test/support/rows.ts'
import { bySystem } from '../../core/audit/audit.ts'
import { sql } from '../../platform/database/sql.ts'
import { findById } from './payout-store.ts'
import { dealWithPayout, refusedPayouts } from './refused-payouts.ts'

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

const names = async (mode: 'test' | 'live' = 'live', merchantId = two.own): Promise<string[]> =>
  (await refusedPayouts(two.db, { merchantId, mode })).map(({ id }) => id)

async function insert(...rows: (Values & { readonly id: string })[]): Promise<void> {
  await insertRows(
    two.db,
    'payouts',
    rows.map((row) => payoutRow({ merchant_id: two.own, ...row })),
  )
}

const failed = { state: 'failed', account_id: 'acc_1', made_at: '2026-11-15T00:00:00Z' }

test('payouts that failed or came back are listed for their merchant and mode, the newest first', async () => {
  await insert(
    { id: 'po_old', ...failed },
    { id: 'po_back', ...failed, state: 'returned', made_at: '2026-11-16T00:00:00Z' },
    { id: 'po_test', ...failed, mode: 'test' },
    { id: 'po_well', account_id: 'acc_1', state: 'arrived' },
  )
  await insertRows(two.db, 'payouts', [payoutRow({ ...failed, merchant_id: two.other, id: 'po_other' })])
  assert.deepEqual(await names(), ['po_back', 'po_old'])
  assert.deepEqual(await names('test'), ['po_test'])
  assert.deepEqual(await names('live', two.other), ['po_other'])
})

const later = {
  state: 'arrived',
  account_id: 'acc_2',
  made_at: '2026-11-18T00:00:00Z',
  amount_minor: 1_500n,
  lines: 'copied',
  gross_minor: 1_500n,
  difference_minor: 1_000n,
}

for (const [what, change, pays] of [
  ['has its amount on top of its own bookings', {}, true],
  ['is on its way', { state: 'on_its_way' }, true],
  ['failed, too', { state: 'failed' }, false],
  ['has less on top', { difference_minor: 999n }, false],
  ['has only new bookings', { difference_minor: 0n }, false],
  ['was made before', { made_at: '2026-11-14T00:00:00Z' }, false],
  ['is of another account', { account_id: 'acc_3' }, false],
  ['is of another currency', { currency: 'USD' }, false],
  ['has no list and is as large', { lines: 'untold', difference_minor: 0n }, true],
  ['has no list and is smaller', { lines: 'untold', difference_minor: 0n, amount_minor: 999n }, false],
] as const)
  test(`a payout that ${what} ${pays ? 'pays' : 'doesn’t pay'} one that failed`, async () => {
    const id = `po_${what.replaceAll(/\W/g, '')}`
    await insert(
      { id, ...failed, account_id: 'acc_2', amount_minor: 1_000n },
      { ...later, id: `${id}_later`, ...change },
    )
    assert.equal((await names()).includes(id), !pays)
    await two.db.query(sql`
      delete from payouts where merchant_id = ${two.own} and account_id in ('acc_2', 'acc_3')`)
  })

test('a payout is dealt with once, and only one that failed', async () => {
  const at = new Date('2026-11-19T12:00:00Z')
  const find = async (id: string) =>
    (await findById(two.db, { merchantId: two.own, id })) ?? assert.fail(`no ${id}`)
  await assert.rejects(dealWithPayout(two.db, await find('po_well'), bySystem, at), { code: 'not_found' })
  await dealWithPayout(two.db, await find('po_old'), bySystem, at)
  await dealWithPayout(two.db, await find('po_old'), bySystem, new Date('2026-11-20T12:00:00Z'))
  assert.equal((await find('po_old')).dealt_with_at, '2026-11-19T12:00:00.000000Z')
  assert.equal((await find('po_back')).dealt_with_at, null)
  assert.deepEqual(await names(), ['po_back'])
})
