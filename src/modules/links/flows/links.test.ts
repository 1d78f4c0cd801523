import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { createLink } from '../create-link.ts'
import { linkUrl } from '../address.ts'
import { pauseLink, resumeLink } from '../change-link.ts'
import type { Linking, LinkPlace } from '../linking.ts'
import { readLink } from '../read-link.ts'
import { settleDue, settleLink } from '../settle.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { makeFindMerchant } from '../../../core/merchants/authenticate.ts'
import { makeCreatePayment } from '../../../core/payments/create-payment.ts'
import { hours, makeStillClock, minutes } from '../../../../test/support/clock.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { happens } from '../../../../test/support/pay.ts'

// Payment links as customers meet them: a page, a form, a payment of type Link; and never more payments than there are.

const clock = makeStillClock()
let house: House
let linking: Linking
let place: LinkPlace

before(async () => {
  house = await openHouse({ world: { now: clock.now } })
  linking = {
    ...house.app.core,
    paying: house.app.paying,
    createPayment: makeCreatePayment(house.db, house.url),
  }
  const merchant = await makeFindMerchant(house.db, house.app.listener)(house.merchantId)
  assert.ok(merchant)
  place = { merchant, mode: 'test' }
})
after(() => house.close())

type Made = { readonly id: string; readonly path: string }

async function newLink(fields: Record<string, string> = {}, at: LinkPlace = place): Promise<Made> {
  const form = new Map(
    Object.entries({ kind: 'reusable', title: 'Fair ticket', currency: 'GBP', amount: '12.50', ...fields }),
  )
  const link = await createLink(linking, at, readLink(form, at, clock.now()), bySystem)
  return { id: link.id, path: new URL(linkUrl(link, house.url)).pathname }
}

const customer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }

/** What the page's form would send. */
async function formOf(path: string): Promise<Record<string, string>> {
  const { text } = await call(house.url + path)
  const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  return { ref: hidden('ref'), token: hidden('token') }
}

async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return call(house.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

async function order(path: string, fields: Record<string, string> = {}) {
  return send(path, { ...(await formOf(path)), ...customer, ...fields })
}

type Payment = { merchantId: number; number: string }

function paymentIn(location: string | null): Payment {
  const [, merchant, number] = /^\/payment\/(\d{8})(\d{24})/.exec(location ?? '') ?? []
  assert.ok(number, `${location} is no payment`)
  return { merchantId: Number(merchant), number }
}

async function countsOf(id: string) {
  const rows = await house.db.query<{ taken: number; paid: number; paid_minor: bigint; rows: number }>(sql`
    select taken, paid, paid_minor,
      (select count(*)::integer from link_payments
       where link_payments.merchant_id = ${house.merchantId} and link_id = id and state <> 'over') as rows
    from links where merchant_id = ${house.merchantId} and id = ${id}`)
  return rows[0]
}

test('a customer enters a name and an address, and reaches the checkout of a payment of type Link', async () => {
  const { id, path } = await newLink({ description: 'Sunday' })
  const page = await call(house.url + path)
  assert.equal(page.status, 200)
  assert.match(page.text, /Pay.*Corner shop/s)
  assert.match(page.text, /&#163;12\.50/)
  assert.match(page.text, /Fair ticket/)
  assert.match(page.text, /class="test-banner"/)
  assert.equal(page.headers.get('set-cookie'), null)
  const sent = await order(`${path}?lang=de`)
  assert.equal(sent.status, 303)
  assert.match(sent.headers.get('location') ?? '', /\?lang=de$/)
  const { number } = paymentIn(sent.headers.get('location'))
  const rows = await house.db.query(sql`
    select type, mode, amount_minor, currency, email, title, description from payments
    where merchant_id = ${house.merchantId} and number = ${number}`)
  assert.deepEqual(rows[0], {
    type: 'Link',
    mode: 'test',
    amount_minor: 1250n,
    currency: 'GBP',
    email: 'ada@example.com',
    title: 'Fair ticket',
    description: 'Sunday',
  })
  assert.deepEqual(await countsOf(id), { taken: 1, paid: 0, paid_minor: 0n, rows: 1 })
})

test('exactly ten of fifty simultaneous customers get one of ten tickets', async () => {
  const { id, path } = await newLink({ stock: '10' })
  const forms = await Promise.all(Array.from({ length: 50 }, () => formOf(path)))
  const answers = await Promise.all(forms.map((form) => send(path, { ...form, ...customer })))
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 303).length, 10)
  assert.equal(statuses.filter((status) => status === 409).length, 40)
  assert.deepEqual(await countsOf(id), { taken: 10, paid: 0, paid_minor: 0n, rows: 10 })
  const payments = await house.db.query<{ count: number }>(sql`
    select count(*)::integer as count from payments join link_payments using (merchant_id, tx_ref)
    where merchant_id = ${house.merchantId} and link_id = ${id}`)
  assert.equal(payments[0]?.count, 10)
  assert.match((await call(house.url + path)).text, /None left at the moment/)
})

test('the database refuses one more than the stock, whatever the caller', async () => {
  const { id } = await newLink({ stock: '2' })
  await assert.rejects(
    house.db.query(sql`update links set taken = 3 where merchant_id = ${house.merchantId} and id = ${id}`),
    /links_never_oversold/,
  )
})

test('a place is free again when its payment is cancelled, expires or fails, but not when paid', async () => {
  const { id, path } = await newLink({ stock: '3' })
  const endings = ['cancelled_by_customer', 'ran_out_of_time', 'attempts_used_up'] as const
  for (const ending of endings)
    await happens(house, paymentIn((await order(path)).headers.get('location')), ending)
  await settleLink(linking, house.merchantId, id)
  assert.deepEqual(await countsOf(id), { taken: 0, paid: 0, paid_minor: 0n, rows: 0 })
  for (let count = 0; count < 3; count += 1)
    await happens(house, paymentIn((await order(path)).headers.get('location')), 'paid')
  await settleLink(linking, house.merchantId, id)
  assert.deepEqual(await countsOf(id), { taken: 3, paid: 3, paid_minor: 3750n, rows: 3 })
  const page = await call(house.url + path)
  assert.match(page.text, /Sold out/)
  assert.doesNotMatch(page.text, /<form/)
})

test('the last place goes to the next customer once its holder hasn’t paid for half an hour', async () => {
  const { id, path } = await newLink({ stock: '1' })
  const first = paymentIn((await order(path)).headers.get('location'))
  assert.equal((await call(house.url + path)).text.includes('<form'), false)
  clock.jump(31 * minutes)
  const second = await order(path)
  assert.equal(second.status, 303)
  const rows = await house.db.query<{ state: string }>(sql`
    select state from payments where merchant_id = ${house.merchantId} and number = ${first.number}`)
  assert.equal(rows[0]?.state, 'cancelled')
  assert.deepEqual(await countsOf(id), { taken: 1, paid: 0, paid_minor: 0n, rows: 1 })
})

test('the worker sums what was paid, and checks unpaid payments less often', async () => {
  const { id, path } = await newLink()
  await happens(house, paymentIn((await order(path)).headers.get('location')), 'paid')
  clock.jump(minutes)
  while ((await settleDue(linking)) > 0);
  assert.deepEqual(await countsOf(id), { taken: 1, paid: 1, paid_minor: 1250n, rows: 1 })
  assert.equal(await settleDue(linking), 0, 'what was looked at waits for its next time')
})

test('a form sent twice leads to one payment, and after that payment ended to a new form', async () => {
  const { id, path } = await newLink({ stock: '5' })
  const form = { ...(await formOf(path)), ...customer }
  const answers = await Promise.all([send(path, form), send(path, form), send(path, form)])
  const numbers = new Set(answers.map(({ headers }) => paymentIn(headers.get('location')).number))
  assert.equal(numbers.size, 1)
  assert.equal((await countsOf(id))?.taken, 1)
  await happens(house, paymentIn(answers[0]?.headers.get('location') ?? null), 'cancelled_by_customer')
  const again = await send(path, form)
  assert.deepEqual([again.status, again.headers.get('location')], [303, path])
})

test('where the customer chooses the amount, the limits hold and amounts are read as people type them', async () => {
  const { path } = await newLink({ amount: '', least: '5', most: '50' })
  assert.match((await call(`${house.url}${path}?lang=en`)).text, /From &#163;5\.00 to &#163;50\.00/)
  for (const [amount, minor] of [
    ['5', 500n],
    ['12,50', 1250n],
    ['£ 50.00', 5000n],
  ] as const) {
    const { number } = paymentIn((await order(path, { amount })).headers.get('location'))
    const rows = await house.db.query<{ amount_minor: bigint }>(sql`
      select amount_minor from payments where merchant_id = ${house.merchantId} and number = ${number}`)
    assert.equal(rows[0]?.amount_minor, minor)
  }
  for (const [amount, sentence] of [
    ['', /Enter the amount/],
    ['4.99', /Enter another amount\. From &#163;5\.00 to &#163;50\.00/],
    ['50.01', /Enter another amount\. From &#163;5\.00 to &#163;50\.00/],
    ['1.000', /Enter an amount, like 5\.00/],
    ['<b>', /Enter an amount, like 5\.00/],
  ] as const) {
    const refused = await order(path, { amount })
    assert.equal(refused.status, 400, amount)
    assert.match(refused.text, sentence)
    assert.match(refused.text, /value="ada@example\.com"/, 'what was typed stays')
  }
  const twice = await order(path, { amount: '4.99', email: 'ada' })
  assert.match(twice.text, /Enter another amount[^]*Enter one e-mail address/, 'all mistakes at once')
})

test('a payment by link shows no order reference the shop doesn’t know', async () => {
  const { path } = await newLink()
  const { number } = paymentIn((await order(path, {})).headers.get('location'))
  const page = (await call(`${house.url}/payment/${house.merchantId}${number}?lang=en`)).text
  assert.match(page, /Pay Corner shop/)
  assert.doesNotMatch(page, /link_[0-9A-Za-z]{16}|Order reference/)
})

test('a link’s fixed amount can’t be changed by the form', async () => {
  const { path } = await newLink()
  const { number } = paymentIn(
    (await order(path, { amount: '0.01', currency: 'JPY' })).headers.get('location'),
  )
  const rows = await house.db.query(sql`
    select amount_minor, currency from payments where merchant_id = ${house.merchantId} and number = ${number}`)
  assert.deepEqual(rows[0], { amount_minor: 1250n, currency: 'GBP' })
})

test('mistakes are shown beside their fields, in the page’s language', async () => {
  const { path } = await newLink()
  const sent = await send(`${path}?lang=de`, {
    ...(await formOf(path)),
    first_name: '',
    email: 'nobody',
    last_name: '4242 4242 4242 4242',
  })
  assert.equal(sent.status, 400)
  assert.match(sent.text, /Geben Sie Ihren Vornamen ein/)
  assert.match(sent.text, /aria-invalid="true" aria-describedby="email-error"/)
  assert.doesNotMatch(sent.text, /4242 4242/)
})

test('a paused or ended link takes nothing, and says why', async () => {
  const { id, path } = await newLink({ ends_on: clock.now().toISOString().slice(0, 10) })
  const form = { ...(await formOf(path)), ...customer }
  await pauseLink(linking, place, id, bySystem)
  assert.match((await call(house.url + path)).text, /Not open at the moment/)
  assert.equal((await send(path, form)).status, 409)
  await resumeLink(linking, place, id, bySystem)
  clock.jump(24 * hours)
  assert.match((await call(house.url + path)).text, /This link has ended/)
  assert.equal((await send(path, form)).status, 409)
  assert.equal((await countsOf(id))?.taken, 0)
})

test('forms from elsewhere, without a token, or with their own reference are refused', async () => {
  const { id, path } = await newLink()
  const form = { ...(await formOf(path)), ...customer }
  for (const [fields, headers] of [
    [{ token: '' }, {}],
    [{ ref: 'order-1' }, {}],
    [{ ref: 'link_0123456789abcdef' }, {}],
    [{}, { 'sec-fetch-site': 'cross-site' }],
    [{}, { origin: 'https://evil.example' }],
  ] as [Record<string, string>, Record<string, string>][]) {
    const sent = await send(path, { ...form, ...fields }, headers)
    assert.equal(sent.status, 403, JSON.stringify([fields, headers]))
  }
  const other = await formOf((await newLink()).path)
  assert.equal((await send(path, { ...other, ...customer })).status, 403, 'a form of another link')
  assert.equal((await countsOf(id))?.taken, 0)
})

test('guessing links is rate limited, and existing ones always open', async () => {
  const { path } = await newLink()
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      call(`${house.url}/link/${house.merchantId}${String(n).padStart(16, 'a')}`),
    ),
  )
  assert.ok(guesses.some(({ status }) => status === 429))
  assert.ok(guesses.every(({ status }) => status === 404 || status === 429))
  for (const { status, text } of guesses) assert.equal(/Please wait a moment/.test(text), status === 429)
  for (const odd of ['/link/', '/link/1', `${path}x`, `${path}/more`])
    assert.ok([404, 429].includes((await call(house.url + odd)).status), odd)
  assert.equal((await call(house.url + path)).status, 200)
})

test('one address can’t start unlimited payments of one link', async () => {
  const { path } = await newLink()
  const forms = await Promise.all(Array.from({ length: 61 }, () => formOf(path)))
  const statuses: number[] = []
  for (const form of forms) statuses.push((await send(path, { ...form, ...customer })).status)
  assert.deepEqual([...new Set(statuses.slice(0, 60))], [303])
  assert.equal(statuses[60], 429)
})
