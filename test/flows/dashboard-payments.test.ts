import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { indexPayments } from '../../src/core/payments/search/index-payments.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { readCsv } from '../support/read-csv.ts'
import { paidPayment, type Paid } from '../support/refunds.ts'
import { attemptRow, insertRows, paymentNumber, paymentRow } from '../support/rows.ts'
import { newPerson, signedIn, Visitor, type PersonAt } from '../support/visitor.ts'

// Payments in the dashboard: a hurried person looks for one and finds it, and takes the list away as a file.

let house: House
let owner: PersonAt
let visitor: Visitor
let list: string
let ada: Paid

before(async () => {
  house = await openHouse()
  owner = await newPerson(house, { role: 'owner' })
  visitor = new Visitor(house)
  await visitor.signIn(owner)
  list = `/dashboard/${house.merchantId}/test/payments`
  ada = await paidPayment(house, 'good', {
    tx_ref: 'order-7001',
    email: 'Ada.Lovelace@Example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  for (const [index, name] of ['Grace Hopper', 'Joan Clarke', 'Ada Byron'].entries()) {
    const [first_name, last_name] = name.split(' ')
    const email = `${String(first_name).toLowerCase()}${index}@elsewhere.example`
    await createPayment(house, { tx_ref: `other-${index}`, first_name, last_name, email })
  }
})
after(() => house.close())

/** The tx_refs that the list shows, in its order. */
async function find(query: Record<string, string>): Promise<string[]> {
  const { text, status } = await visitor.get(`${list}?${new URLSearchParams(query).toString()}`)
  assert.equal(status, 200)
  return refsIn(text)
}

/** The first text of each row that is shortened where it does not fit. */
function refsIn(text: string): string[] {
  const rows = text.split('<tr').slice(1)
  return rows.flatMap((row) => /<span class="short"[^>]*>([^<]+)<\/span>/.exec(row)?.[1] ?? [])
}

async function referenceOf(txRef: string): Promise<string> {
  const { json } = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  return (json.data as { reference: string }).reference
}

test('the list shows the newest first, and each links to its page', async () => {
  const { text } = await visitor.get(list)
  assert.deepEqual(refsIn(text), ['other-2', 'other-1', 'other-0', 'order-7001'])
  assert.match(text, new RegExp(`href="${list}/${ada.number}"`))
})

test('a pending payment with a declined card looks different from an untouched one', async () => {
  const shop = await createMerchant(house.db, { name: 'Declines' })
  const elsewhere = await signedIn(house, { role: 'owner', merchantId: shop })
  const [declined, untouched] = [paymentNumber(1), paymentNumber(2)]
  const rows = [declined, untouched].map((number) => paymentRow({ merchant_id: shop, number }))
  await insertRows(house.db, 'payments', rows)
  await insertRows(house.db, 'attempts', [
    attemptRow({ merchant_id: shop, number: declined, state: 'declined' }),
  ])
  const { text } = await elsewhere.get(`/dashboard/${shop}/test/payments`)
  assert.equal(text.match(/>declined</g)?.length, 1)
  assert.equal(text.match(/>pending</g)?.length, 2)
})

test('anything a hurried person pastes finds the payment', async () => {
  const reference = await referenceOf('order-7001')
  const pasted = [
    '  order-7001 ',
    'order- 7001',
    'ORDER-7001',
    'order-70',
    'ADA.LOVELACE@EXAMPLE.COM',
    'Ada Lovelace <ada.lovelace@example.com>',
    'ada.love',
    'Lovelace',
    'lovel',
    'ada lovelace',
    'Lovelace, Ada',
    '4242',
    '•••• 4242',
    reference,
    reference.toLowerCase().replace(/^(.{4})(.{4})/, '$1 $2 '),
    `${house.url}/payment/${house.merchantId}${ada.number}?lang=de`,
    ada.number,
  ]
  for (const search of pasted) assert.deepEqual(await find({ search }), ['order-7001'], search)
})

test('a pending payment is found by last name, first name and reference', async () => {
  for (const search of ['Hopper', 'grace', 'grace hopper', await referenceOf('other-0')])
    assert.deepEqual(await find({ search }), ['other-0'], search)
  assert.deepEqual(await find({ search: 'ada' }), ['other-2', 'order-7001'])
})

test('characters special to a database are searched literally', async () => {
  for (const search of ['%', '_____', 'o%', String.raw`\\\\`, "' or true --", '😀😀😀', 'x'.repeat(5_000)])
    assert.deepEqual(await find({ search }), [], search.slice(0, 20))
})

test('a search finds nothing of the other mode or another merchant, not even by its link', async () => {
  const live = await createPayment(house, { tx_ref: 'live-1', last_name: 'Turing' }, house.liveKey)
  for (const search of ['live-1', 'Turing', `${house.merchantId}${live.number}`, live.number])
    assert.deepEqual(await find({ search }), [], search)
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  assert.deepEqual(await find({ search: `${elsewhere}${ada.number}` }), [])
  const stranger = await signedIn(house, { role: 'owner', merchantId: elsewhere })
  const there = `/dashboard/${elsewhere}/test/payments`
  for (const search of ['order-7001', 'Lovelace', '4242', `${house.merchantId}${ada.number}`]) {
    const { text } = await stranger.get(`${there}?${new URLSearchParams({ search }).toString()}`)
    assert.deepEqual(refsIn(text), [], search)
  }
  for (const path of ['by-ref/order-7001', ada.number, `${ada.number}/json`])
    assert.equal((await stranger.get(`${there}/${path}`)).status, 404, path)
})

test('filters are in the URL, combine with a search, and mistakes are shown', async () => {
  assert.deepEqual(await find({ state: 'success' }), ['order-7001'])
  assert.deepEqual(await find({ state: 'pending', search: 'ada' }), ['other-2'])
  const today = new Date().toISOString().slice(0, 10)
  assert.equal((await find({ from: today, to: today })).length, 4, 'the last day belongs to it')
  assert.deepEqual(await find({ to: '2020-01-01' }), [])
  const wrong = await visitor.get(`${list}?state=lost&from=yesterday&project=none`)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /href="#state">state must be one of[^]*href="#from"[^]*href="#project"/)
  assert.equal((await visitor.get(`${list}?cursor=nonsense`)).status, 400)
})

test('older payments are on further pages, and a search keeps its place in them', async () => {
  for (let index = 0; index < 30; index += 1)
    await createPayment(house, { tx_ref: `many-${index}`, email: 'Many@example.com', last_name: 'Many' })
  for (const search of ['many@example.com', 'many-', 'many']) {
    const first = await visitor.get(`${list}?${new URLSearchParams({ search }).toString()}`)
    const older = /href="([^"]+)">Older</.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await visitor.get(older)
    const all = [...refsIn(first.text), ...refsIn(second.text)]
    const expected = Array.from({ length: 30 }, (_, index) => `many-${29 - index}`)
    assert.deepEqual(all, expected, search)
    assert.match(second.text, />Newest</)
    assert.doesNotMatch(second.text, />Older</)
  }
})

test('the file has exactly the list’s rows, with formulas defused, and the export is audited', async () => {
  await createPayment(house, { tx_ref: '=1+1', last_name: 'Formula', first_name: '@SUM(A1)' })
  const page = await visitor.get(`${list}/all/export?search=formula`)
  assert.match(page.text, /<dt>Payments<\/dt>\s*<dd>1<\/dd>/)
  const file = await visitor.post(`${list}/all/export`, { search: 'formula' })
  assert.match(file.headers.get('content-disposition') ?? '', /payments-test-\d{4}-\d\d-\d\d\.csv/)
  const [header = [], row = [], ...more] = readCsv(file.text)
  assert.deepEqual([row[header.indexOf('tx_ref')], row[header.indexOf('first_name')]], ["'=1+1", "'@SUM(A1)"])
  assert.equal(more.length, 0)
  await visitor.get(list)
  const many = readCsv((await visitor.post(`${list}/all/export`, { search: 'many-', state: 'pending' })).text)
  assert.equal(many.length, 31)
  const entries = await house.db.query<{ actor: string; after: object }>(sql`
    select actor, after from audit_log where merchant_id = ${house.merchantId} and action = 'payments.exported'
    order by at desc, id limit 1`)
  assert.deepEqual(entries, [
    { actor: owner.id, after: { mode: 'test', search: 'many-', status: 'pending' } },
  ])
  await visitor.get(list)
  assert.equal((await visitor.post(`${list}/all/export`, { from: 'never' })).status, 400)
})

test('any tx_ref leads to its payment, even if it looks like a path or a page of ours', async () => {
  for (const tx_ref of ['all', 'all/export', 'a/../b c?d#e%', '<b>&"', 'new', '１２３', '%2e%2e']) {
    const { number } = await createPayment(house, { tx_ref })
    const byRef = `${list}/by-ref/${encodeURIComponent(tx_ref)}`
    assert.equal((await visitor.get(`${list}/${encodeURIComponent(tx_ref)}`)).to, byRef, 'an old bookmark')
    assert.equal((await visitor.get(byRef)).to, `${list}/${number}`, tx_ref)
    const { status, text } = await visitor.get(`${list}/${number}`)
    assert.equal(status, 200, tx_ref)
    assert.match(text, /<h1>£|<h1>&#163;/, tx_ref)
    assert.doesNotMatch(text, /<b>&"/)
  }
})

test('a tx_ref equal to another payment’s number opens its own payment only by its own URL', async () => {
  const victim = await createPayment(house, { amount: '11.00' })
  const crafted = await createPayment(house, { tx_ref: victim.number, amount: '99.00' })
  assert.match((await visitor.get(`${list}/${victim.number}`)).text, /<h1>(?:£|&#163;)11\.00/)
  assert.equal((await visitor.get(`${list}/by-ref/${victim.number}`)).to, `${list}/${crafted.number}`)
  assert.match((await visitor.get(`${list}/${crafted.number}`)).text, /<h1>(?:£|&#163;)99\.00/)
  assert.ok(!(await visitor.get(list)).text.includes(`href="${list}/by-ref`))
})

test('empty lists explain the next step', async () => {
  const other = await createMerchant(house.db, { name: 'New shop' })
  const newcomer = await signedIn(house, { role: 'viewer', merchantId: other })
  const there = `/dashboard/${other}/test/payments`
  assert.match((await newcomer.get(there)).text, /No payments yet[^]*How to create a payment/)
  assert.match((await newcomer.get(`${there}?search=4242`)).text, /No matching payments[^]*Look in live mode/)
  assert.doesNotMatch((await newcomer.get(there)).text, /Export/, 'a viewer takes nothing away')
})

test('a failed payment is found by its reference even if it is no longer recent', async () => {
  const { txRef, number, merchantId } = await createPayment(house, { last_name: 'Forgotten' })
  const reference = await referenceOf(txRef)
  await happens(house, { number, merchantId }, 'ran_out_of_time')
  await house.db.query(sql`
    update payments set created_at = now() - interval '400 days'
    where merchant_id = ${merchantId} and number = ${number}`)
  await indexPayments(house.db, merchantId)
  await house.db.query(sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor,
      email, first_name, last_name)
    select merchant_id, '7' || lpad(place::text, 23, '0'), mode, 'filler-' || place, 'FLXXXXXXXXXXXX', type, currency,
      amount_minor, charge_minor, 'filler' || place || '@example.com', 'Fill', 'Er'
    from payments, generate_series(1, 5100) as place
    where merchant_id = ${merchantId} and number = ${number}`)
  for (const search of [reference, 'Forgotten', 'forg'])
    assert.deepEqual(await find({ search }), [txRef], search)
})
