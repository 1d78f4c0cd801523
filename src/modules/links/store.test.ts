import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findMerchantsWithLinksToLookAt } from './due-look-store.ts'
import {
  findLinkPayment,
  insertLinkPayment,
  listLinkPayments,
  listOpenBefore,
  lockOpen,
  recordLooks,
} from './link-payment-store.ts'
import { addResults, findLink, listLinks, setPaused, takeOne, updateLink, type ListFilter } from './store.ts'

// Two merchants whose links have the same names: whatever is read or changed is the one merchant's alone.

let two: TwoMerchants
const now = new Date('2026-11-16T12:00:00.000Z')
const at = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

beforeEach(async () => {
  await two.db.query(sql`truncate link_payments, links cascade`)
  for (const [own, seconds] of [
    [two.own, 0],
    [two.other, -1],
  ] as const) {
    const like = { merchant_id: own, kind: 'reusable', asks_customer: false, currency: 'GBP' }
    const link = (id: string, mode: string, title: string, more: object = {}) =>
      ({ ...like, id, mode, title, created_at: now, ...more }) as const
    await insertRows(two.db, 'links', [
      link('a', 'test', 'Green tea', { stock: 2, taken: 1 }),
      link('b', 'test', 'Black tea', { kind: 'single', stock: 1, created_at: at(1) }),
      link('c', 'live', 'Tea', { created_at: at(2) }),
      link('d', 'test', 'Coffee', { created_at: at(2) }),
    ])
    const payment = (link_id: string, tx_ref: string, lookIn: number, more: object = {}) =>
      ({
        merchant_id: own,
        link_id,
        tx_ref,
        created_at: at(lookIn - 10),
        look_at: at(lookIn),
        ...more,
      }) as const
    await insertRows(two.db, 'link_payments', [
      payment('a', '1', seconds),
      payment('a', '2', seconds + 5),
      payment('a', '3', seconds - 5, { state: 'paid' }),
      payment('b', '1', seconds + 4),
    ])
  }
})

/** Which rows of a table change while this runs: of one merchant, so many. */
async function changedBy(
  table: string,
  count: number,
  change: (tx: Transaction, own: number) => Promise<unknown>,
): Promise<void> {
  for (const [own, other] of two.both) {
    const [mine, theirs] = [await storedRows(two.db, table, own), await storedRows(two.db, table, other)]
    await inTransaction(two.db, async (tx) => change(tx, own))
    assert.deepEqual(await storedRows(two.db, table, other), theirs)
    const left = await storedRows(two.db, table, own)
    assert.equal(left.filter((row) => !mine.includes(row)).length, count)
  }
}

test('a link is found by merchant and id, and locked on request', async () => {
  for (const [own] of two.both) {
    const found = await findLink(two.db, own, 'a')
    assert.deepEqual([found?.merchant_id, found?.id], [own, 'a'])
    assert.equal(await findLink(two.db, own, 'none'), undefined)
  }
  await inTransaction(two.db, async (tx) => {
    await findLink(tx, two.own, 'a', { forUpdate: true })
    await findLink(tx, two.own, 'b')
    const free = await two.db.query<{ id: string }>(sql`
      select id from links where merchant_id = ${two.own} for update skip locked`)
    assert.deepEqual(free.map(({ id }) => id).toSorted(), ['b', 'c', 'd'])
  })
})

test('the list has one merchant’s links of one mode, newest first, and every filter narrows it', async () => {
  const all = { mode: 'test', search: '', kind: '', state: undefined, after: undefined, limit: 10 } as const
  const cases: readonly (readonly [Partial<ListFilter>, string])[] = [
    [{}, 'dba'],
    [{ mode: 'live' }, 'c'],
    [{ search: 'TEA' }, 'ba'],
    [{ search: '%' }, ''],
    [{ kind: 'single' }, 'b'],
    [{ limit: 2 }, 'db'],
    [{ after: { createdAt: at(1).toISOString(), id: 'b' } }, 'a'],
    [{ after: { createdAt: at(1).toISOString(), id: 'c' } }, 'ba'],
  ]
  for (const [own] of two.both)
    for (const [filter, names] of cases) {
      const found = await listLinks(two.db, { merchantId: own, ...all, ...filter })
      assert.ok(found.every(({ merchant_id }) => merchant_id === own))
      assert.equal(found.map(({ id }) => id).join(''), names, JSON.stringify(filter))
    }
})

test('links created at the same moment are listed by id, highest first', async () => {
  await two.db.query(sql`update links set created_at = ${now} where merchant_id = ${two.own}`)
  const all = { mode: 'test', search: '', kind: '', state: undefined, after: undefined, limit: 10 } as const
  const found = await listLinks(two.db, { merchantId: two.own, ...all })
  assert.equal(found.map(({ id }) => id).join(''), 'dba')
})

test('a change, a pause and results affect one link of one merchant', async () => {
  const change = { title: 'New', description: null, stock: 5, ends_at: null }
  await changedBy('links', 1, async (tx, own) => updateLink(tx, own, 'a', change))
  await changedBy('links', 1, async (tx, own) => setPaused(tx, own, 'a', now))
  await changedBy('links', 1, async (tx, own) =>
    addResults(tx, own, 'a', { over: 0, paid: 1, paidMinor: 7n }),
  )
  const { taken, paid, paid_minor } = (await findLink(two.db, two.own, 'a')) ?? assert.fail()
  assert.deepEqual([taken, paid, paid_minor], [1, 1, 7n])
  await changedBy('links', 1, async (tx, own) =>
    addResults(tx, own, 'd', { over: 0, paid: 0, paidMinor: 9n }),
  )
})

test('places are taken until the stock is used up, the link is paused or it has ended', async () => {
  await changedBy('links', 1, async (tx, own) => takeOne(tx, own, 'a', now))
  const take = async (id: string): Promise<boolean> =>
    inTransaction(two.db, async (tx) => takeOne(tx, two.own, id, now))
  assert.equal(await take('a'), false, 'two of two are taken')
  assert.equal(await take('d'), true, 'without a stock')
  for (const [end, isOpen] of [
    [at(1), true],
    [now, false],
  ] as const) {
    await two.db.query(sql`update links set ends_at = ${end} where merchant_id = ${two.own} and id = 'd'`)
    assert.equal(await take('d'), isOpen)
  }
  await inTransaction(two.db, async (tx) => setPaused(tx, two.own, 'b', now))
  assert.equal(await take('b'), false)
})

test('a payment is stored once per link, and found by link and tx_ref', async () => {
  const insert = async (own: number, linkId: string, txRef: string): Promise<boolean> =>
    inTransaction(two.db, async (tx) => insertLinkPayment(tx, own, { linkId, txRef }, { now, lookAt: now }))
  await changedBy('link_payments', 1, async (tx, own) =>
    insertLinkPayment(tx, own, { linkId: 'd', txRef: '1' }, { now, lookAt: now }),
  )
  assert.equal(await insert(two.own, 'd', '1'), false)
  assert.equal(await insert(two.own, 'd', '2'), true)
  const find = async (own: number, linkId: string, txRef: string) =>
    (await findLinkPayment(two.db, own, { linkId, txRef }))?.state
  assert.deepEqual(
    [await find(two.own, 'a', '3'), await find(two.own, 'a', '1'), await find(two.own, 'b', '3')],
    ['paid', 'open', undefined],
  )
  assert.equal(await find(two.other, 'd', '2'), undefined)
})

const namesOf = (rows: readonly { link_id: string; tx_ref: string }[]): string =>
  rows.map(({ link_id, tx_ref }) => link_id + tx_ref).join(' ')

test('open payments are locked, longest waiting first, and rows held by another worker are skipped', async () => {
  for (const [filter, names] of [
    [{ max: 9 }, 'a1 b1 a2'],
    [{ max: 1 }, 'a1'],
    [{ linkId: 'a', max: 9 }, 'a1 a2'],
    [{ dueBy: at(4), max: 9 }, 'a1 b1'],
    [{ dueBy: at(3), max: 9 }, 'a1'],
  ] as const)
    await inTransaction(two.db, async (tx) =>
      assert.equal(namesOf(await lockOpen(tx, two.own, filter)), names, JSON.stringify(filter)),
    )
  await inTransaction(two.db, async (tx) => {
    await lockOpen(tx, two.own, { max: 1 })
    const rest = await inTransaction(two.db, async (other) => lockOpen(other, two.own, { max: 9 }))
    assert.equal(namesOf(rest), 'b1 a2')
  })
})

test('a check is recorded for one payment of one link', async () => {
  const looked = { link_id: 'a', tx_ref: '1', state: 'over', look_at: at(60) } as const
  await changedBy('link_payments', 1, async (tx, own) => recordLooks(tx, own, [looked]))
})

test('payments begun before a time are listed oldest first, and a link’s payments newest first', async () => {
  for (const [before_, max, names] of [
    [at(-10), 9, ''],
    [at(-9), 9, 'a1'],
    [at(0), 9, 'a1 a2'],
    [at(0), 1, 'a1'],
  ] as const) {
    const found = await listOpenBefore(two.db, two.own, { linkId: 'a', before: before_, max })
    assert.equal(namesOf(found), names)
  }
  for (const [after_, limit, names] of [
    [undefined, 9, 'a2 a1 a3'],
    [undefined, 1, 'a2'],
    [{ createdAt: at(-10).toISOString(), txRef: '1' }, 9, 'a3'],
    [{ createdAt: at(-10).toISOString(), txRef: '2' }, 9, 'a1 a3'],
  ] as const) {
    const found = await listLinkPayments(two.db, two.own, { linkId: 'a', after: after_, limit })
    assert.equal(namesOf(found), names)
  }
  await two.db.query(sql`update link_payments set created_at = ${now} where merchant_id = ${two.own}`)
  const sameMoment = await listLinkPayments(two.db, two.own, { linkId: 'a', after: undefined, limit: 9 })
  assert.equal(namesOf(sameMoment), 'a3 a2 a1')
})

test('merchants with an open payment to check are found, longest waiting first', async () => {
  const find = async (seconds: number, max = 9) =>
    findMerchantsWithLinksToLookAt(two.db, { now: at(seconds), max })
  assert.deepEqual(await find(0), [two.other, two.own])
  assert.deepEqual(await find(0, 1), [two.other])
  assert.deepEqual(await find(-1), [two.other])
  assert.deepEqual(await find(-2), [], 'what was paid is not looked at')
})
