import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import fastify from 'fastify'
import { renderSVG } from 'uqr'
import { linesOf, styleFile } from '../../../../test/support/page-model.ts'
import { send, type Answered } from '../../../../test/support/scripted-checkout.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { cards, openTill, type Till } from '../../../../test/support/till.ts'
import { sql } from '../../../platform/database/sql.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { makeRateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { linkCode } from '../address.ts'
import { pauseLink } from '../change-link.ts'
import { createLink } from '../create-link.ts'
import type { Linking } from '../linking.ts'
import { readLink } from '../read-link.ts'
import { settleLink } from '../settle.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { readMerchant, type Merchant } from '../../../core/merchants/authenticate.ts'
import { makeCreatePayment } from '../../../core/payments/create-payment.ts'
import { addLinks, type LinkRoutes } from './routes.ts'

let till: Till
let linking: Linking
let merchant: Merchant
const servers: Server[] = []

before(async () => {
  till = await openTill()
  const createPayment = makeCreatePayment(till.db, 'https://pay.example/florin')
  linking = { ...till.core, paying: till.paying, createPayment }
  const found = await readMerchant(till.db, till.merchantId)
  assert.ok(found)
  merchant = found
})
afterEach(async () => Promise.all(servers.splice(0).map(async (server) => server.close())))
after(async () => till.close())

const unlimited = makeRateLimit({ perSecond: 1_000, burst: 1_000 })

type Log = { readonly level: number; readonly err?: { readonly message: string } }

/** The pages of links as somebody in England finds them, and what the operator hears. */
function open(changes: Partial<LinkRoutes> = {}) {
  const log: Log[] = []
  const stream = { write: (line: string) => void log.push(JSON.parse(line) as Log) }
  const server = fastify({ logger: { level: 'warn', stream } }) as unknown as Server
  servers.push(server)
  addLinks(server, {
    db: till.db,
    secrets: testSecrets,
    baseUrl: 'https://pay.example/florin/',
    styleFile,
    missLimit: unlimited,
    formLimit: unlimited,
    now: till.paying.now,
    findMerchant: async () => merchant,
    linking,
    ...changes,
  })
  return { server, log }
}

async function newLink(fields: Readonly<Record<string, string>> = {}, mode: 'test' | 'live' = 'test') {
  const place = { merchant, mode }
  const given = { kind: 'reusable', title: 'Fair ticket', currency: 'GBP', amount: '12.50', ...fields }
  const request = readLink(new Map(Object.entries(given)), place, till.paying.now())
  const link = await createLink(linking, place, request, bySystem)
  return { link, path: `/link/${linkCode(link)}` }
}

const customer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }

/** What the page’s form would send. */
async function formOf(server: Server, path: string): Promise<Record<string, string>> {
  const { body } = await send(server, path)
  const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''
  return { ref: hidden('ref'), token: hidden('token'), ...customer }
}

async function order(server: Server, path: string, fields: object = {}): Promise<Answered> {
  return send(server, path, { form: { ...(await formOf(server, path)), ...fields } })
}

/** Where an answer leads, or what its page says first and whether it can be filled in. */
function seen({ status, location, body }: Answered): unknown {
  if (location !== undefined) return [status, location]
  const main = body.slice(body.indexOf('<main'))
  const heading = /<h1[^>]*>([^]*?)<\/h1>/.exec(main)?.[1] ?? ''
  return [status, linesOf(heading).join(' '), ...(main.includes('<form method="post"') ? ['a form'] : [])]
}

function paymentAt({ location = '' }: Answered): { merchantId: number; number: string; mode: 'test' } {
  const [, number] = new RegExp(`^/florin/payment/${till.merchantId}(\\d{24})`).exec(location) ?? []
  assert.ok(number, `${location} is no payment`)
  return { merchantId: till.merchantId, number, mode: 'test' }
}

const asksWho = [200, 'Pay Corner shop', 'a form']

test('a single-customer link leads everyone to the payment already begun, until it ends', async () => {
  const { server } = open()
  const { link, path } = await newLink({ kind: 'single' })
  assert.deepEqual(seen(await send(server, path)), asksWho)
  const begun = await order(server, path)
  const home = `/florin/payment/${till.merchantId}${paymentAt(begun).number}`
  assert.deepEqual(seen(begun), [303, home])
  assert.deepEqual(seen(await send(server, path)), [302, home])
  assert.deepEqual(seen(await send(server, `${path}?lang=de`)), [302, `${home}?lang=de`])

  await till.payer.cancel(paymentAt(begun), 'customer')
  assert.deepEqual(seen(await send(server, path)), [200, 'None left at the moment'])
  await settleLink(linking, link.merchant_id, link.id)
  const again = await order(server, path)
  await till.payer.pay(paymentAt(again), cards.good)
  await settleLink(linking, link.merchant_id, link.id)
  assert.deepEqual(seen(await send(server, path)), [200, 'This link has ended'])
})

test('a link for a known customer always leads to its one payment', async () => {
  const { server } = open()
  const { link, path } = await newLink({ kind: 'single', ...customer })
  assert.equal(link.asks_customer, false)
  const first = await send(server, path)
  const payment = paymentAt(first)
  assert.deepEqual(seen(first), [302, `/florin/payment/${till.merchantId}${payment.number}`])
  await till.payer.pay(payment, cards.good)
  assert.deepEqual(seen(await send(server, path)), seen(first))
  await till.db.query(sql`
    delete from link_payments where merchant_id = ${link.merchant_id} and link_id = ${link.id}`)
  assert.deepEqual(seen(await send(server, path)), [404, 'Payment not found'], 'it was never made')
})

test('a link for many customers never leads to another customer’s payment', async () => {
  const { server } = open()
  const { path } = await newLink()
  const [one, other] = [paymentAt(await order(server, path)), paymentAt(await order(server, path))]
  assert.notEqual(one.number, other.number)
  assert.deepEqual(seen(await send(server, path)), asksWho)
})

test('a link is closed, on page and form, while its merchant can’t take the payment', async () => {
  const closed = 'Payment is not possible right now'
  const notLive = { ...merchant, liveEnabled: false }
  const notPounds = { ...merchant, currencies: new Map([['EUR', 0n]]) }
  const offPounds = { ...merchant, currenciesOff: new Map([['GBP', 0n]]) }
  for (const [mode, now, isOpen] of [
    ['live', merchant, true],
    ['live', notLive, false],
    ['test', notLive, true],
    ['test', notPounds, true],
    ['live', notPounds, false],
    ['live', offPounds, false],
  ] as const) {
    const { path } = await newLink({}, mode)
    const form = await formOf(open().server, path)
    const { server } = open({ findMerchant: async () => now })
    const answer = await send(server, path, { form })
    if (isOpen) assert.equal(answer.status, 303, mode)
    else assert.deepEqual(seen(answer), [409, closed], mode)
    assert.deepEqual(seen(await send(server, path)), isOpen ? asksWho : [200, closed], mode)
  }
  const { server } = open()
  const { link, path } = await newLink()
  const form = await formOf(server, path)
  await pauseLink(linking, { merchant, mode: 'test' }, link.id, bySystem)
  assert.deepEqual(seen(await send(server, path, { form })), [409, 'Not open at the moment'])
})

test('an abandoned place is offered to the next customer; one still held is not', async () => {
  const { server } = open()
  const { path } = await newLink({ stock: '1' })
  const form = await formOf(server, path)
  const held = await order(server, path)
  assert.equal(held.status, 303)
  const full = 'None left at the moment'
  assert.deepEqual(seen(await send(server, path)), [200, full])
  assert.deepEqual(seen(await send(server, path, { form })), [409, full])
  till.forward(31 * 60_000)
  assert.deepEqual(seen(await send(server, path)), asksWho)
  assert.equal((await send(server, path, { form })).status, 303)
  till.rewind()
})

test('a form whose payment is over leads to a new form, in the page’s language', async () => {
  const { server } = open()
  const { path } = await newLink()
  const form = await formOf(server, path)
  const sent = await send(server, path, { form })
  assert.deepEqual(seen(await send(server, path, { form })), seen(sent), 'sent twice')
  await till.payer.cancel(paymentAt(sent), 'customer')
  assert.deepEqual(seen(await send(server, `${path}?lang=de`, { form })), [303, `/florin${path}?lang=de`])
})

test('mistakes appear beside the input, and don’t count against the address’s limit', async () => {
  const { server } = open()
  const { path } = await newLink()
  const form = await formOf(server, path)
  for (let count = 0; count < 61; count += 1) {
    const refused = await send(server, path, { form: { ...form, email: ' nobody ' } })
    assert.equal(refused.status, 400)
    assert.match(refused.body, /value="nobody"[^]*id="email-error"/)
    assert.ok(refused.body.includes(`name="ref" value="${form['ref']}"`), 'the same payment is asked for')
  }
  assert.equal((await send(server, path, { form })).status, 303)
})

test('forms are counted by link and address before they are read, payments after', async () => {
  const taken: string[] = []
  let seconds: number | undefined = 5
  const formLimit = { ...unlimited, take: (name: string) => (taken.push(name), seconds) }
  const { server } = open({ formLimit })
  const { link, path } = await newLink()
  const form = await formOf(server, path)
  const waits = await send(server, path, { form: { ...form, token: '' } })
  assert.deepEqual(seen(waits), [429, 'Please wait a moment'])
  assert.equal(waits.headers['retry-after'], '5')
  assert.deepEqual(taken, [`${link.merchant_id} ${link.id} 127.0.0.1`])
  seconds = undefined
  assert.equal((await send(server, path, { form: { ...form, token: '' } })).status, 403)
  for (let count = 0; count < 60; count += 1) assert.equal((await send(server, path, { form })).status, 303)
  assert.deepEqual(seen(await send(server, path, { form })), [429, 'Please wait a moment'])
})

test('failures are reported to the operator, and to the customer on the shop’s page once the link is known', async () => {
  const { path } = await newLink()
  const told = async (thrown: Error) => {
    const { server, log } = open({
      linking: { ...linking, createPayment: async () => Promise.reject(thrown) },
    })
    const answer = await order(server, path)
    assert.match(answer.body, /Corner shop/)
    return { page: seen(answer), logged: log.map(({ level, err }) => [level, err?.message]) }
  }
  const broken = 'Something went wrong'
  assert.deepEqual(await told(new Error('a bug')), { page: [500, broken], logged: [[50, 'a bug']] })
  const away = new Refusal('unavailable', 'No database')
  assert.deepEqual(await told(away), { page: [503, broken], logged: [[40, 'No database']] })
  assert.deepEqual(await told(new Refusal('form_refused')), { page: [403, 'Please try again'], logged: [] })
  const { server, log } = open({ findMerchant: async () => Promise.reject(new Error('a bug')) })
  const early = await send(server, path)
  assert.deepEqual([early.status, log.length, early.body.includes('Corner shop')], [500, 1, false])
  assert.equal(early.headers['content-language'], 'en')
})

test('guessing links is rate limited and reveals no merchant', async () => {
  const none = 'Payment not found'
  const { link, path } = await newLink()
  const other = `/link/${linkCode({ ...link, id: `lnk_${'0'.repeat(16)}` })}`
  for (const odd of [other, '/link/', '/link/1', `${path}x`, `${path}/more`, `${other}/qr.svg`]) {
    const { server } = open({ missLimit: makeRateLimit({ perSecond: 0.1, burst: 1 }, () => 0) })
    const missed = await send(server, odd)
    assert.deepEqual(seen(missed), [404, none], odd)
    assert.doesNotMatch(missed.body, /Corner shop/)
    assert.deepEqual(seen(await send(server, odd)), [429, 'Please wait a moment'], odd)
    assert.deepEqual(seen(await send(server, path)), asksWho)
  }
  const { server } = open({ findMerchant: async () => undefined })
  assert.deepEqual(seen(await send(server, path)), [404, none])
})

test('a link with stray characters still opens, and its QR code holds the clean URL', async () => {
  const { server } = open()
  const { path } = await newLink()
  assert.deepEqual(seen(await send(server, `${path}).?lang=de`)), [302, `/florin${path}?lang=de`])
  assert.equal((await send(server, `${path}.`, { form: {} })).status, 404, 'a post is led nowhere')
  const { body, headers } = await send(server, `${path}/qr.svg`)
  assert.equal(body, renderSVG(`https://pay.example/florin${path}`, { ecc: 'M', border: 4 }))
  assert.equal(headers['content-type'], 'image/svg+xml')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
})
