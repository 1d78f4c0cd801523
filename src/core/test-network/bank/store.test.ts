import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../../test/support/rows.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { countWaiting } from '../../../../test/support/who-waits.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { RefundOrder } from '../../networks/connector.ts'
import {
  closePage,
  decidePage,
  deletePagesOf,
  findPage,
  findPageOfOrder,
  findRefund,
  forgetTextsOf,
  insertRefund,
  listPages,
  listRefunds,
  readPagesOf,
} from './store.ts'

// Two merchants whose pages have the same names. The pages `open`, `paid` and `refused` are of the payment 1, `other` of 2.

let two: TwoMerchants
const at = new Date('2026-11-16T12:00:00.000Z')
const before1Ms = new Date(at.getTime() - 1)

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())
beforeEach(async () => {
  for (const merchant_id of [two.own, two.other]) {
    await two.db.query(sql`delete from test_network.refunds where merchant_id = ${merchant_id}`)
    await two.db.query(sql`delete from test_network.pages where merchant_id = ${merchant_id}`)
    const pages = [
      ['paid', '1', 'paid', 3],
      ['open', '1', 'open', 2],
      ['refused', '1', 'refused', 1],
      ['other', '2', 'paid', 4],
    ] as const
    await insertRows(
      two.db,
      'test_network.pages',
      pages.map(([reference, payment_number, state, minute]) => ({
        merchant_id,
        idempotency_key: `key of ${reference}`,
        payment_number,
        reference,
        state,
        amount_minor: 1_000n,
        currency: 'GBP',
        merchant_name: String(merchant_id),
        description: 'A present for Ada',
        return_url: 'https://shop.example/ada',
        cancel_url: 'https://shop.example/ada',
        opened_at: new Date(at.getTime() + minute * 60_000),
        expires_at: at,
        told_from: at,
      })),
    )
  }
})

function refundOf(merchantId: number, key: string, changes: object = {}): RefundOrder {
  const order = { merchantId, chargeReference: 'paid', amountMinor: 1_000n, currency: 'GBP', ...changes }
  return { ...order, idempotencyKey: key } as RefundOrder
}

async function isBooked(merchantId: number, key: string, changes: object = {}): Promise<boolean> {
  await insertRefund(two.db, refundOf(merchantId, key, changes), { reference: key, at })
  return (await findRefund(two.db, { merchantId, idempotencyKey: key })) !== undefined
}

async function stateOf(merchantId: number, reference: string): Promise<string | undefined> {
  return (await findPage(two.db, { merchantId, reference }))?.state
}

test('a page is found by its name and by its order, for its own merchant', async () => {
  for (const merchantId of [two.own, two.other]) {
    const byName = await findPage(two.db, { merchantId, reference: 'open' })
    const byOrder = await findPageOfOrder(two.db, {
      merchantId,
      paymentNumber: '1',
      idempotencyKey: 'key of open',
    })
    assert.deepEqual([byName?.merchant_id, byName?.reference], [merchantId, 'open'])
    assert.deepEqual(byOrder, byName)
  }
})

test('a payment’s own pages are listed oldest first', async () => {
  const names = async (number: string): Promise<string[]> =>
    (await listPages(two.db, { merchantId: two.own, number })).map(({ reference }) => reference)
  assert.deepEqual(await names('1'), ['refused', 'open', 'paid'])
  assert.deepEqual(await names('2'), ['other'])
  const read = (await readPagesOf(two.db, two.own, ['1'])) as { merchant_id: number; reference: string }[]
  assert.deepEqual(
    read.map(({ merchant_id, reference }) => [merchant_id, reference]),
    ['refused', 'open', 'paid'].map((reference) => [two.own, reference]),
  )
})

test('a page is decided once, before it expires, and for its own merchant', async () => {
  const decide = async (reference: string, when: Date): Promise<boolean> =>
    decidePage(two.db, { merchantId: two.own, reference }, { state: 'paid', at: when, toldFrom: when })
  assert.equal(await decide('open', at), false, 'it expires now')
  assert.equal(await decide('refused', before1Ms), false)
  assert.equal(await decide('open', before1Ms), true)
  assert.equal(await decide('open', before1Ms), false)
  assert.deepEqual([await stateOf(two.own, 'open'), await stateOf(two.other, 'open')], ['paid', 'open'])
})

test('withdrawing closes an open page and leaves every other page as it is', async () => {
  for (const reference of ['open', 'paid', 'refused'])
    await closePage(
      two.db,
      { merchantId: two.own, paymentNumber: '1', idempotencyKey: `key of ${reference}` },
      { reference: 'new', at },
    )
  const states = async (merchantId: number) =>
    Promise.all(['open', 'paid', 'refused'].map(async (reference) => stateOf(merchantId, reference)))
  assert.deepEqual(await states(two.own), ['withdrawn', 'paid', 'refused'])
  assert.deepEqual(await states(two.other), ['open', 'paid', 'refused'])
})

test('refunds can’t exceed the payment, counted per merchant and page', async () => {
  assert.equal(await isBooked(two.own, 'unpaid', { chargeReference: 'open' }), false)
  assert.equal(await isBooked(two.own, 'euros', { currency: 'EUR' }), false)
  assert.equal(await isBooked(two.own, 'too much', { amountMinor: 1_001n }), false)
  assert.equal(await isBooked(two.own, 'most', { amountMinor: 999n }), true)
  assert.equal(await isBooked(two.own, 'over', { amountMinor: 2n }), false)
  assert.equal(await isBooked(two.own, 'rest', { amountMinor: 1n }), true)
  assert.equal(await isBooked(two.own, 'of another page', { chargeReference: 'other' }), true)
  assert.equal(await isBooked(two.other, 'most'), true)
  const listed = await listRefunds(two.db, { merchantId: two.own, reference: 'paid' })
  assert.deepEqual(
    listed.map(({ reference }) => reference),
    ['most', 'rest'],
  )
  assert.equal(
    (await findRefund(two.db, { merchantId: two.other, idempotencyKey: 'rest' }))?.reference,
    undefined,
  )
})

test('a refund waits for another one of the same page, and is refused when that took the money', async () => {
  const under = await inTransaction(two.db, async (tx) => {
    await tx.query(sql`
      select from test_network.pages where merchant_id = ${two.own} and reference = 'paid' for update`)
    await insertRows(tx, 'test_network.refunds', [
      {
        merchant_id: two.own,
        idempotency_key: 'first',
        reference: 'first',
        page_reference: 'paid',
        amount_minor: 1n,
        requested_at: at,
      },
    ])
    let isOver = false
    const late = isBooked(two.own, 'second').finally(() => (isOver = true))
    assert.equal(
      await isBooked(two.own, 'elsewhere', { chargeReference: 'other' }),
      true,
      'another page is free',
    )
    assert.equal(await isBooked(two.other, 'elsewhere'), true, 'and so is another merchant')
    await waitUntil('it waits', async () => isOver || (await countWaiting(two.db)) === 1)
    return { late }
  })
  assert.equal(await under.late, false)
})

test('an erased customer leaves no text on the pages of their payments, once those are over', async () => {
  const erased = await inTransaction(two.db, async (tx) => forgetTextsOf(tx, two.own, ['1']))
  assert.equal(erased, 2)
  const texts = async (merchantId: number, reference: string) => {
    const page = await findPage(two.db, { merchantId, reference })
    return [page?.description, page?.return_url, page?.cancel_url].filter((text) => text !== null).length
  }
  assert.deepEqual(
    [await texts(two.own, 'paid'), await texts(two.own, 'refused'), await texts(two.own, 'open')],
    [0, 0, 3],
  )
  assert.deepEqual([await texts(two.own, 'other'), await texts(two.other, 'paid')], [3, 3])
})

test('deleting a payment deletes its pages and their refunds, of this merchant alone', async () => {
  for (const merchantId of [two.own, two.other])
    for (const chargeReference of ['paid', 'other'])
      assert.ok(await isBooked(merchantId, `refund of ${chargeReference}`, { chargeReference }))
  const others = await storedRows(two.db, 'test_network.pages', two.other)
  await inTransaction(two.db, async (tx) =>
    deletePagesOf(tx, { merchantId: two.own, numbers: ['1'], txRefs: [] }),
  )
  const left = async (table: string, merchantId: number): Promise<string[]> =>
    (await storedRows(two.db, table, merchantId)).map(
      (row) => (JSON.parse(row) as { reference: string }).reference,
    )
  assert.deepEqual(await left('test_network.pages', two.own), ['other'])
  assert.deepEqual(await left('test_network.refunds', two.own), ['refund of other'])
  assert.equal((await left('test_network.refunds', two.other)).length, 2)
  assert.deepEqual(await storedRows(two.db, 'test_network.pages', two.other), others)
})
