import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { happens } from '../../../../test/support/pay.ts'
import { newPerson, signedIn, Visitor } from '../../../../test/support/visitor.ts'

// Payment links in the dashboard: made, looked at, changed, paused, printed.

let house: House
let support: Visitor
let viewer: Visitor

before(async () => {
  house = await openHouse()
  support = new Visitor(house)
  viewer = new Visitor(house)
  await support.signIn(await newPerson(house, { role: 'support' }))
  await viewer.signIn(await newPerson(house, { role: 'viewer' }))
})
after(() => house.close())

const links = (mode = 'test'): string => `/dashboard/${house.merchantId}/${mode}/links`
const good = { kind: 'reusable', title: 'Fair ticket', currency: 'GBP', amount: '12.50' }

async function make(fields: Record<string, string> = {}, mode = 'test'): Promise<string> {
  const made = await support.fill(`${links(mode)}/new`, { ...good, ...fields })
  assert.equal(made.status, 303, made.text)
  return made.to
}

/** The address that is to be sent, without the server. */
function addressIn(text: string): string {
  return new URL(/value="([^"]+)" aria-label="Payment link"/.exec(text)?.[1] ?? 'x:').pathname
}

async function order(path: string): Promise<{ merchantId: number; number: string }> {
  const { text } = await call(house.url + path)
  const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  const fields = { ref: hidden('ref'), token: hidden('token'), first_name: 'Ada', email: 'ada@example.com' }
  const sent = await call(house.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const [, merchant, number = ''] =
    /\/payment\/(\d{8})(\d{24})/.exec(sent.headers.get('location') ?? '') ?? []
  return { merchantId: Number(merchant), number }
}

async function actsOf(id: string): Promise<string[]> {
  const rows = await house.db.query<{ action: string }>(sql`
    select action from audit_log where merchant_id = ${house.merchantId} and subject = ${id} order by at, id`)
  return rows.map(({ action }) => action)
}

test('an empty list explains what a link is for', async () => {
  assert.match((await support.get(links())).text, /No links yet/)
  assert.doesNotMatch((await viewer.get(links())).text, /links\/new/)
})

test('a link is created, paid and shown in the list and on its page, and each act is audited', async () => {
  const to = await make({ stock: '3', description: 'Sunday' })
  const page = await support.get(to)
  assert.match(page.text, /Link created/)
  const address = addressIn(page.text)
  assert.match(address, /^\/link\/\d{8}\w{16}$/)
  await happens(house, await order(address), 'paid')
  await order(address)
  const seen = (await viewer.get(to)).text
  assert.match(seen, /1 of 3/)
  assert.match(seen, /<strong><span class="figures">&#163;12\.50/)
  assert.match(seen, /ada@example\.com/)
  assert.match(seen, /\/payments\/\d{24}"/)
  assert.match((await viewer.get(links())).text, /Fair ticket[^]*1 of 3[^]*&#163;12\.50/)

  await support.get(to)
  assert.equal((await support.post(`${to}/do/pause`)).to, to)
  const paused = (await support.get(to)).text
  assert.match(paused, /Link paused/)
  assert.match((await call(house.url + address)).text, /Not open at the moment/)
  await support.post(`${to}/do/resume`)
  await support.get(to)
  await support.post(`${to}/do/resume`)
  assert.match((await call(house.url + address)).text, /<form/)
  assert.deepEqual(await actsOf(to.slice(links().length + 1)), [
    'link.created',
    'link.paused',
    'link.resumed',
  ])
})

test('name, stock and last day can be changed later, but never below what is taken', async () => {
  const to = await make({ stock: '3' })
  const address = addressIn((await support.get(to)).text)
  await order(address)
  await order(address)
  const edited = await support.fill(`${to}/edit`, { title: 'Late ticket', stock: '2', ends_on: '2099-12-31' })
  assert.deepEqual([edited.status, edited.to], [303, to])
  const page = (await support.get(to)).text
  assert.match(page, /<h1>Late ticket<\/h1>/)
  assert.match(page, /31 December 2099/)
  const below = await support.fill(`${to}/edit`, { title: 'Late ticket', stock: '1' })
  assert.equal(below.status, 400)
  assert.match(below.text, /id="stock-error">More than this have been paid or are being paid/)
  assert.match((await support.get(`${to}/edit`)).text, /value="2099-12-31"/)
  await support.fill(`${to}/edit`, { title: 'Late ticket', stock: '2', ends_on: '2099-12-31' })
  assert.deepEqual(await actsOf(to.slice(links().length + 1)), ['link.created', 'link.changed'])
})

test('a link for a known customer is a payment with a checkout URL', async () => {
  const customer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
  const to = await make({ kind: 'single', title: 'Deposit', ...customer })
  const page = (await support.get(to)).text
  const address = addressIn(page)
  assert.match(address, /^\/payment\/\d{32}$/)
  assert.doesNotMatch(page, /do\/pause/)
  const rows = await house.db.query(sql`
    select type, email, amount_minor from payments
    where merchant_id = ${house.merchantId} and number = ${address.slice(-24)}`)
  assert.deepEqual(rows, [{ type: 'Link', email: 'ada@example.com', amount_minor: 1250n }])
  const code = `/link/${house.merchantId}${to.slice(-16)}`
  assert.equal((await call(house.url + code)).headers.get('location'), address)
})

test('a link for one unknown customer takes one payment, and is then paid', async () => {
  const to = await make({ kind: 'single', title: 'Invoice 7' })
  const address = addressIn((await support.get(to)).text)
  const payment = await order(address)
  const again = await call(house.url + address)
  assert.equal(
    again.headers.get('location'),
    `/payment/${payment.merchantId}${payment.number}`,
    'who comes back goes on',
  )
  await happens(house, payment, 'paid')
  assert.match((await support.get(to)).text, /class="pill good">paid</)
  assert.match((await call(house.url + address)).text, /It(’|&#8217;)s paid/)
})

test('mistakes in the form are shown beside their field, and the input stays', async () => {
  for (const [fields, sentence] of [
    [{ title: '' }, /id="title-error">Say what the payment is for/],
    [{ title: '4242 4242 4242 4242' }, /id="title-error">[^<]*card number/],
    [{ amount: 'lots' }, /id="amount-error">Enter an amount such as/],
    [{ amount: '', least: '9', most: '5' }, /id="most-error">The highest amount is less than the lowest/],
    [{ stock: '0' }, /id="stock-error">Enter a whole number from 1/],
    [{ stock: '1e3' }, /id="stock-error">/],
    [{ ends_on: '2020-01-01' }, /id="ends_on-error">Choose today or a later day/],
    [{ ends_on: 'soon' }, /id="ends_on-error">Enter a day/],
    [{ currency: 'XXX' }, /Choose a currency/],
    [{ kind: 'single', amount: '' }, /id="amount-error">Enter an amount/],
    [{ kind: 'single', email: 'ada@example.com' }, /id="first_name-error">/],
    [{ kind: 'single', first_name: 'Ada', email: 'nobody' }, /id="email-error">/],
  ] as [Record<string, string>, RegExp][]) {
    const refused = await support.fill(`${links()}/new`, { ...good, description: 'Kept words', ...fields })
    assert.equal(refused.status, 400, JSON.stringify(fields))
    assert.match(refused.text, sentence, JSON.stringify(fields))
    assert.match(refused.text, /value="Kept words"/)
  }
  const rows = await house.db.query(sql`
    select 1 from links where merchant_id = ${house.merchantId} and description = 'Kept words'`)
  assert.equal(rows.length, 0, 'a link that can’t be paid is not left behind')
})

test('links of the other mode and of other merchants are not found', async () => {
  const to = await make()
  const id = to.slice(links().length + 1)
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  const stranger = await signedIn(house, { role: 'owner', merchantId: elsewhere })
  for (const path of ['', '/print', '/edit']) {
    assert.equal((await support.get(`${links('live')}/${id}${path}`)).status, 404)
    assert.equal((await stranger.get(`/dashboard/${elsewhere}/test/links/${id}${path}`)).status, 404)
  }
  await stranger.get(`/dashboard/${elsewhere}/test/links`)
  assert.equal((await stranger.post(`/dashboard/${elsewhere}/test/links/${id}/do/pause`)).status, 404)
  const live = await make({ title: 'Live one' }, 'live')
  assert.doesNotMatch((await support.get(links())).text, /Live one/)
  const page = await call(house.url + addressIn((await support.get(live)).text))
  assert.doesNotMatch(page.text, /class="test-banner"/)
})

test('a shop that isn’t live creates no live links', async () => {
  const shop = await createMerchant(house.db, { name: 'New shop' })
  const owner = await signedIn(house, { role: 'owner', merchantId: shop })
  const refused = await owner.fill(`/dashboard/${shop}/live/links/new`, good)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Live payments are not switched on/)
})

test('the list continues by cursor, and the printable sheet has name, amount and code', async () => {
  for (let count = 0; count < 26; count += 1) await make({ title: `Stall ${count}` })
  const first = await support.get(links())
  const older = /href="([^"]+)">Older/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await support.get(older)
  assert.match(second.text, /Stall 0[^0-9]/)
  assert.doesNotMatch(second.text, /Stall 25/)
  const to = await make({ title: 'Poster' })
  const sheet = (await viewer.get(`${to}/print`)).text
  assert.match(sheet, /<h1>Poster<\/h1>[^]*&#163;12\.50[^]*<svg/)
  assert.match(sheet, /Test mode/)
  assert.equal((await support.get(`${links()}?cursor=wrong`)).status, 400)
})
