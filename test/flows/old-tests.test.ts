import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decide } from '../../src/core/test-network/bank/decide.ts'
import { readPages } from '../support/networks/test-bank-records.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import { createLink } from '../../src/modules/links/create-link.ts'
import type { Linking, LinkPlace } from '../../src/modules/links/linking.ts'
import { readLink } from '../../src/modules/links/read-link.ts'
import { settleLink } from '../../src/modules/links/settle.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makeFindMerchant } from '../../src/core/merchants/authenticate.ts'
import { prune } from '../../src/platform/jobs/pruning.ts'
import { makeCreatePayment } from '../../src/core/payments/create-payment.ts'
import { readLastDays } from '../support/read-last-days.ts'
import { indexPayments } from '../../src/core/payments/search/index-payments.ts'
import { lookNow } from '../../src/modules/payouts/ask/look-now.ts'
import { rebuildTotals } from '../../src/core/payments/daily-totals/rebuild-totals.ts'
import { recounts } from '../../src/app/modules.ts'
import { retentionOf } from '../../src/app/retention.ts'
import { dumpRows } from '../support/dump-rows.ts'
import { byBank } from '../support/hosted-choice.ts'
import { call, openHouse, post, testConfig, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { paidPayment, refund, type Paid } from '../support/refunds.ts'
import { someDispute } from '../support/shop-day.ts'
import { waitUntil } from '../support/wait-until.ts'

// Payments of test mode go half a year after they ended. Old and young ones, of test and of live mode, with a row in every
// table that a payment can have one in.

let house: House
let linking: Linking
before(async () => {
  house = await openHouse({ settings: { REQUEST_LOG_DAYS: '0' } })
  linking = {
    ...house.app.core,
    paying: house.app.paying,
    createPayment: makeCreatePayment(house.db, house.url),
  }
})
after(() => house.close())

const log = makeLog('silent', { write: () => {} })

async function pruneNow(settings: Record<string, string> = {}): Promise<number> {
  // Bodies and mail have times of their own.
  const config = testConfig({ KEEP_NOTIFICATION_DAYS: '0', ...settings })
  let sum = 0
  // The audit log, requests and hashes of cards have tests of their own.
  const others = new Set(['audit entries', 'requests', 'hashes of cards'])
  for (const kept of retentionOf(config).filter(({ pruning }) => !others.has(pruning.name)))
    for (let count = -1; count !== 0; sum += count)
      count = await prune(kept, { db: house.db, now: () => new Date(), log })
  return sum
}

/** As if all of it had happened so long ago. */
async function age(days: number, ...payments: readonly { number: string }[]): Promise<void> {
  const numbers = payments.map(({ number }) => number)
  const at = new Date(Date.now() - days * 24 * 3_600_000)
  await house.db.query(sql`
    update payments set created_at = ${at}, updated_at = ${at}
    where merchant_id = ${house.merchantId} and number = any(${numbers}::text[])`)
}

/** Nobody carries notifications here: as if they had been. */
async function deliverAll(): Promise<void> {
  await house.db.query(sql`
    update deliveries set state = 'delivered', tries = 1, next_try_at = null, finished_at = now()
    where merchant_id = ${house.merchantId} and state = 'waiting'`)
  await house.db.query(sql`
    insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status)
    select ${house.merchantId}::integer, id, 1, now(), 12, 200 from deliveries
    where merchant_id = ${house.merchantId} and kind = 'ipn' on conflict do nothing`)
}

const callback = { callback_url: 'https://shop.example/ipn' }

/** Payments of test mode that have, together, a row in every table. */
async function tryEverything(): Promise<Paid[]> {
  const byCard = await paidPayment(house, 'good', callback)
  assert.equal((await refund(house, byCard, { amount: '1.00' })).status, 201)
  const { payment: disputed, id: disputeId } = await someDispute(house, { kind: 'lost' })
  await house.db.query(sql`
    insert into dispute_replies (merchant_id, dispute_id, id, kind, state, parts, actor, requested_at, ended_at)
    values (${house.merchantId}, ${disputeId}, ${`rpl_${disputeId}`}, 'acceptance', 'sent', '{}', 'per_1', now(), now())`)
  const bank = await createPayment(house, callback)
  await house.app.payer.choose(bank, byBank, 'en')
  const [page] = await readPages(house.db, bank)
  assert.ok(page)
  await decide(house.db, { ...bank, reference: page.reference }, 'pay', new Date())
  await waitUntil(
    'the bank is asked',
    async () => (await house.app.payer.lookAgain(bank, 'from_the_page')) === 'new',
  )
  assert.equal((await refund(house, bank, { amount: '2.00' })).status, 201)
  await house.db.query(sql`
    insert into payment_notes (merchant_id, number, id, author, text)
    values (${house.merchantId}, ${byCard.number}, ${`note_${byCard.number}`}, 'per_1', 'Rang twice')`)
  await house.db.query(sql`
    insert into form_refusals (merchant_id, mode, at, request_id, code, message, tx_ref)
    values (${house.merchantId}, 'test', now(), ${byCard.number}, 'tx_ref_taken', 'taken', ${byCard.txRef})`)
  await fillSavedMethods(byCard)
  const linked = await payLink()
  await lookNow(house.app.paying, { merchantId: house.merchantId, mode: 'test' })
  return [byCard, disputed, bank, linked]
}

/** An ended method, which keeps no payment. */
async function fillSavedMethods({ merchantId, number }: Paid): Promise<void> {
  await house.db.query(sql`
    insert into saved_methods (merchant_id, id, mode, customer_ref, agreement, limit_currency, number, connector, kind,
      ended_at, ended_by, forgotten_at)
    values (${merchantId}, ${`svm_${number.slice(8)}`}, 'test', 'ada', 'recurring', 'GBP', ${number}, 'test-network', 'card',
      now(), 'merchant', now())`)
  await house.db.query(sql`
    insert into saved_method_consents (merchant_id, number, agreement, currency, language, words)
    values (${merchantId}, ${number}, 'recurring', 'GBP', 'en', 'You agree')`)
  await house.db.query(sql`
    insert into saved_method_charges (merchant_id, number, method_id, currency, amount_minor, day)
    values (${merchantId}, ${number}, ${`svm_${number.slice(8)}`}, 'GBP', 100, now())`)
  await house.db.query(sql`
    insert into test_network.saved_cards (merchant_id, token, payment_number, card_last4, expires)
    values (${merchantId}, ${`tc_${number}`}, ${number}, '4242', '2029-08')`)
}

async function payLink(): Promise<Paid> {
  const merchant = await makeFindMerchant(house.db, house.app.listener)(house.merchantId)
  assert.ok(merchant)
  const place: LinkPlace = { merchant, mode: 'test' }
  const fields = { kind: 'single', title: 'Deposit', currency: 'GBP', amount: '5.00' }
  const customer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
  const form = new Map(Object.entries({ ...fields, ...customer }))
  const link = await createLink(linking, place, readLink(form, place, new Date()), bySystem)
  const [row] = await house.db.query<{ tx_ref: string; number: string }>(sql`
    select tx_ref, number from link_payments join payments using (merchant_id, tx_ref)
    where merchant_id = ${house.merchantId} and link_id = ${link.id}`)
  assert.ok(row)
  const payment = { txRef: row.tx_ref, number: row.number, merchantId: house.merchantId }
  await happens(house, payment, 'paid')
  await settleLink(linking, house.merchantId, link.id)
  return payment
}

/** Every row of every table, with the name of its table before it; the audit log is never changed. */
async function allRows(): Promise<Set<string>> {
  const tables = await dumpRows(house.databaseUrl)
  tables.delete('audit_log')
  return new Set([...tables].flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`)))
}

/** What rows about these payments are known by. */
async function namesOf(payments: readonly Paid[]): Promise<string[]> {
  const numbers = payments.map(({ number }) => number)
  const found = await house.db.query<{ name: string }>(sql`
    select id as name from refunds where number = any(${numbers}::text[])
    union all select id from disputes where number = any(${numbers}::text[])
    union all select id from deliveries where number = any(${numbers}::text[])
    union all select reference from payments where number = any(${numbers}::text[])
    union all select reference from test_network.charges where payment_number = any(${numbers}::text[])
    union all select reference from test_network.pages where payment_number = any(${numbers}::text[])`)
  return [...numbers, ...payments.map(({ txRef }) => txRef), ...found.map(({ name }) => name)]
}

const about = (rows: Iterable<string>, names: readonly string[]): string[] =>
  [...rows].filter((row) => names.some((name) => row.includes(name)))
const tableOf = (row: string): string => row.slice(0, row.indexOf(' '))

/** Tables with a column that names a payment, by their foreign keys or by its name. */
async function tablesOfPayments(): Promise<string[]> {
  const rows = await house.db.query<{ name: string }>(sql`
    select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind = 'r' and attname in ('number', 'payment_number', 'refund_id', 'dispute_id', 'delivery_id',
      'charge_reference', 'page_reference')
      and relnamespace::regnamespace::text in ('public', 'test_network') and relname <> 'schema_migrations'`)
  return [...new Set(rows.map(({ name }) => name))].toSorted()
}

test('old test payments are gone from every table, and nothing else is', async () => {
  const old = await tryEverything()
  const young = await tryEverything()
  const live = await createPayment(house, {}, house.liveKey)
  await happens(house, live, 'paid')
  const cancelledLive = await createPayment(house, {}, house.liveKey)
  await happens(house, cancelledLive, 'cancelled_by_merchant')
  const open = await createPayment(house)
  await deliverAll()
  await age(181, ...old, live, cancelledLive, open)
  await age(179, ...young)
  await indexPayments(house.db, house.merchantId)
  const names = await namesOf(old)
  const rowsBefore = await allRows()
  const filled = new Set(about(rowsBefore, names).map(tableOf))
  // Networks call about live payments alone.
  const unfilled = (await tablesOfPayments()).filter(
    (name) => !filled.has(name) && name !== 'callback_events',
  )
  assert.deepEqual(unfilled, [], 'tables of payments in which this test has no row')

  assert.equal(await pruneNow({ KEEP_TEST_DAYS: '0' }), 0)
  assert.equal(await pruneNow({ KEEP_TEST_DAYS: '182' }), 0)
  assert.equal(await pruneNow(), old.length)

  const rowsAfter = await allRows()
  // A merchant's own mail about a dispute names it, and goes with the rest of the mail.
  assert.deepEqual(
    about(rowsAfter, names).filter((row) => !row.includes(',mail,')),
    [],
  )
  const gone = [...rowsBefore].filter((row) => !rowsAfter.has(row))
  assert.deepEqual(
    gone.filter((row) => about([row], names).length === 0),
    [],
    'what was deleted was about the old ones',
  )
  // Lines of payouts stay, as a payout must add up, and name nothing of the payment.
  const changed = [...rowsAfter].filter((row) => !rowsBefore.has(row))
  assert.deepEqual(
    changed.filter((row) => tableOf(row) !== 'payout_lines'),
    [],
    'nothing else was changed',
  )
  assert.equal(await pruneNow(), 0)
})

test('the database refuses to delete a live payment', async () => {
  const live = await createPayment(house, {}, house.liveKey)
  const tried = await createPayment(house)
  const remove = async ({ number }: Paid) =>
    house.db.query(sql`
      delete from payments where merchant_id = ${house.merchantId} and number = ${number} returning number`)
  await assert.rejects(remove(live), /Payments of live mode are never deleted/)
  assert.equal((await remove(tried)).length, 1)
})

test('a test payment stays until its notification, refund and attempt have ended', async () => {
  const [told, refunded, challenged] = [
    await paidPayment(house, 'good', callback),
    await paidPayment(house),
    await paidPayment(house),
  ]
  assert.equal((await refund(house, refunded)).status, 201)
  await house.db.query(sql`
    update refunds set next_check_at = now() where merchant_id = ${house.merchantId} and number = ${refunded.number}`)
  await house.db.query(sql`
    update attempts set state = 'surplus' where merchant_id = ${house.merchantId} and number = ${challenged.number}`)
  await age(181, told, refunded, challenged)
  assert.equal(await pruneNow(), 0)

  await deliverAll()
  await house.db.query(sql`
    update refunds set next_check_at = null where merchant_id = ${house.merchantId} and number = ${refunded.number}`)
  await house.db.query(sql`
    update attempts set state = 'returned' where merchant_id = ${house.merchantId} and number = ${challenged.number}`)
  assert.equal(await pruneNow(), 3)
})

test('a deleted payment’s tx_ref and Idempotency-Key are free, and its link leads nowhere', async () => {
  const body = paymentRequest()
  const path = `${house.url}/api/payment`
  const create = async () => post(path, body, house.secretKey, { 'idempotency-key': 'half-a-year' })
  const first = await create()
  assert.equal(first.status, 201)
  const { checkout_url: url } = first.json.data as { checkout_url: string }
  const number = url.slice(-24)
  await happens(house, { merchantId: house.merchantId, number }, 'cancelled_by_customer')
  await age(181, { number })
  assert.equal(await pruneNow(), 1)

  const look = `${house.url}/api/transaction/${String(body['tx_ref'])}`
  assert.equal((await call(look, { key: house.secretKey })).status, 404)
  assert.equal((await call(`${house.url}${new URL(url).pathname}`)).status, 404)
  const again = await create()
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotency-replayed'), null)
  assert.notEqual(again.text, first.text)
  assert.equal((await create()).text, again.text)
})

test('daily totals stay when the payments are deleted, and when they are rebuilt', async () => {
  const tomorrow = new Date(Date.now() + 24 * 3_600_000)
  const read = async () => readLastDays(house.db, { merchantId: house.merchantId, count: 3, now: tomorrow })
  const paid = await paidPayment(house)
  await age(181, paid)
  const figures = await read()
  assert.notDeepEqual(figures, [])
  await pruneNow()
  assert.deepEqual(await read(), figures)
  // The day on which they were counted is today: as if their time had ended now.
  await rebuildTotals(house.db, house.merchantId, recounts, new Date())
  assert.deepEqual(await read(), figures)
  await rebuildTotals(house.db, house.merchantId, recounts)
  assert.notDeepEqual(await read(), figures)
})
