import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { forgetMethods } from '../forget/forget-methods.ts'
import { changeRules } from '../rules.ts'
import { makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { newLink, stateOf, timesCharged, type Link } from '../../../../test/support/customer.ts'
import { fieldsIn, plainText } from '../../../../test/support/fields-in.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import {
  charge,
  charged,
  lookUp,
  payOnPage,
  pressSaved,
  sendForm,
} from '../../../../test/support/saved-methods.ts'

// A customer with a saved method: they see and end it on a page of their own, and pay with it by one press.

let house: House
let clock: Clock
before(async () => {
  clock = makeStillClock()
  house = await openHouse({ world: { now: clock.now } })
})
after(() => house.close())

const cards = { asks: '4000 0027 6000 3184', soft: '4000 0000 0000 0341', hard: '4000 0000 0000 9979' }

/** Saves a card of a customer, and returns the payment that did and the method's id. */
async function saved(customerRef: string, number?: string): Promise<Link & { readonly id: string }> {
  const link = await newLink(house, { save: 'recurring', customer_ref: customerRef, save_limit: '50' })
  await payOnPage(link, number)
  const id = (await lookUp(house, link.txRef)).saved_method?.id ?? ''
  assert.match(id, /^svm_/)
  return { ...link, id }
}

async function lookUpMethod(id: string): Promise<{ readonly usable: boolean; readonly ended_by?: string }> {
  return (await call(`${house.url}/api/saved-methods/${id}`, { key: house.secretKey })).json.data
}

async function mailsAbout(txRef: string): Promise<string> {
  const rows = await house.db.query<{ body: string }>(sql`
    select deliveries.body::text as body from deliveries join payments using (merchant_id, number)
    where payments.tx_ref = ${txRef} and kind = 'mail'`)
  return rows.map(({ body }) => body).join('\n')
}

test('the receipt leads to a page with the agreement and the charges, where the customer ends it', async () => {
  const link = await saved('ada')
  await charged(house, link.id, { tx_ref: 'ada-2', amount: '9.90', description: 'December' })
  const pageUrl = `${link.url}/saved-method`
  assert.match((await call(link.url)).text, new RegExp(`href="/payment/${link.digits}/saved-method"`))
  for (const txRef of [link.txRef, 'ada-2'])
    assert.match(await mailsAbout(txRef), /"methodUrl":"[^"]*\/payment\/\d{32}\/saved-method"/)

  const page = await call(pageUrl)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.match(page.text, /<meta name="robots" content="noindex">/)
  const shown = plainText(page.text)
  for (const part of [
    'Corner shop',
    'At most £50.00 a day.',
    '••••\u00a04242',
    '08/29',
    '£9.90',
    'December',
    'Paid',
  ])
    assert.ok(shown.includes(part), part)

  const strange = await sendForm(`${pageUrl}/end`, { token: 'guessed' })
  assert.equal(strange.status, 403)
  assert.equal((await charged(house, link.id, { tx_ref: 'ada-3' })).status, 'success')
  const fields = fieldsIn(page.text)
  const ended = await sendForm(`${pageUrl}/end`, fields)
  assert.equal(ended.status, 303)
  assert.equal(ended.headers.get('location'), `/payment/${link.digits}/saved-method`)
  assert.equal((await sendForm(`${pageUrl}/end`, fields)).status, 303, 'twice is no mistake')
  const goodbye = plainText((await call(pageUrl)).text)
  assert.match(goodbye, /This agreement has ended/)
  assert.doesNotMatch(goodbye, /Yes, end it/)

  assert.equal((await charge(house, link.id)).json.code, 'method_ended')
  assert.equal((await lookUpMethod(link.id)).ended_by, 'customer')
  const events = await house.db.query(sql`
    select from deliveries where event = 'method.ended' and number = ${link.digits.slice(8)}`)
  assert.equal(events.length, 1)
  const acts = await house.db.query<{ actor: string; address: string | null }>(sql`
    select actor, address from audit_log where action = 'saved_method.ended' and subject = ${link.id}`)
  assert.deepEqual(acts, [{ actor: 'customer', address: null }])
  const keeping = { ...house.app.core, secrets: house.secrets, paying: house.app.paying }
  assert.equal(await forgetMethods(keeping), 1, 'the network is told')
})

test('a payment that saved nothing has no such page, and a wrong link says so plainly', async () => {
  const link = await newLink(house)
  const page = await call(`${link.url}/saved-method`, { redirect: 'manual' })
  assert.equal(page.status, 303)
  const wrong = await call(`${house.url}/payment/${'1'.repeat(32)}/saved-method`)
  assert.equal(wrong.status, 404)
  assert.match(wrong.text, /Check that you copied the whole link/)
})

test('a customer who was erased finds a page without their details', async () => {
  const link = await saved('eve')
  const open = await newLink(house, { customer_ref: 'eve' })
  const numbers = [link, open].map(({ digits }) => digits.slice(8))
  await house.db.query(sql`
    update saved_methods set ended_at = statement_timestamp(), ended_by = 'erasure', customer_ref = 'erased', brand = null,
      last4 = null, expires = null, forget_at = now() where number = any(${numbers}::text[])`)
  const page = plainText((await call(`${link.url}/saved-method`)).text)
  assert.match(page, /The details of this payment method have been deleted\./)
  assert.doesNotMatch(page, /\b4242\b|Latest charges/)
  assert.doesNotMatch((await call(open.url)).text, /pay-saved/)
})

test('a customer whom the shop names pays with their saved card by one press, once', async () => {
  const first = await saved('grace')
  const link = await newLink(house, { customer_ref: 'grace', amount: '12.34', return_url: undefined })
  const page = (await call(link.url)).text
  assert.match(plainText(page), /Pay £12\.34 with Visa\s••••\s4242/)
  assert.ok(page.indexOf('/pay-saved') < page.indexOf('name="number"'), 'above the card form')
  assert.doesNotMatch(page, /you agree that/)
  const answers = await Promise.all([pressSaved(link), pressSaved(link), pressSaved(link)])
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]))
  const paid = await lookUp(house, link.txRef)
  assert.equal(paid.status, 'success')
  assert.equal(paid.saved_method?.id, first.id)
  assert.equal(await timesCharged(house, link), 1)
  const receipt = (await call(link.url)).text
  assert.match(plainText(receipt), /Visa ending in 4242/)
  assert.match(plainText((await call(`${first.url}/saved-method`)).text), /£12\.34/)
})

test('saved methods of another customer, currency, mode or agreement are not offered', async () => {
  await saved('hedy')
  const { id } = await saved('ended-one')
  await call(`${house.url}/api/saved-methods/${id}`, { method: 'DELETE', key: house.secretKey })
  for (const fields of [
    {},
    { customer_ref: 'nobody' },
    { customer_ref: 'ended-one' },
    { customer_ref: 'hedy', currency: 'EUR' },
    { customer_ref: 'hedy', save: 'recurring' },
  ])
    assert.doesNotMatch(
      (await call((await newLink(house, fields)).url)).text,
      /pay-saved/,
      JSON.stringify(fields),
    )
  const link = await newLink(house, { customer_ref: 'nobody' })
  const { token = '' } = fieldsIn((await call(link.url)).text)
  const hedys = await newLink(house, { customer_ref: 'hedy' })
  const form = /<form[^>]*\/pay-saved[^]*?<\/form>/.exec((await call(hedys.url)).text)?.[0] ?? ''
  const { method = '' } = fieldsIn(form)
  assert.match(method, /^svm_/)
  await sendForm(`${link.url}/pay-saved`, { token, method })
  assert.equal(await stateOf(house, link), 'pending', 'a method of somebody else pays nothing')

  const scope = { merchantId: house.merchantId, mode: 'test' } as const
  const by = { kind: 'system', name: 'test' } as const
  await changeRules(house.app.core, scope, { isStopped: true }, by)
  assert.doesNotMatch((await call(hedys.url)).text, /pay-saved/, 'stopped')
  await changeRules(house.app.core, scope, { isStopped: false }, by)
})

test('3-D Secure is asked for where the bank wants it, of a present customer and of a charge that waits', async () => {
  const { id } = await saved('iris', cards.asks)
  const waiting = await charged(house, id, { tx_ref: 'iris-2' })
  assert.equal(waiting.failure?.code, 'needs_customer')
  const digits = (waiting.checkout_url ?? '').slice(-32)
  const links = [
    { digits, url: `${house.url}/payment/${digits}`, txRef: 'iris-2' },
    await newLink(house, { customer_ref: 'iris' }),
  ]
  for (const [index, link] of links.entries()) {
    await pressSaved(link)
    const page = (await call(link.url)).text
    assert.match(plainText(page), /Approve your payment/)
    await sendForm(`${link.url}/challenge`, { ...fieldsIn(page), answer: 'approve' })
    assert.equal((await lookUp(house, link.txRef)).status, 'success', String(index))
  }
})

test('a decline shows the other ways to pay, and a hard one ends the method', async () => {
  for (const [card, usable] of [
    [cards.soft, true],
    [cards.hard, false],
  ] as const) {
    const { id } = await saved(`decline-${card}`, card)
    const link = await newLink(house, { customer_ref: `decline-${card}` })
    await pressSaved(link)
    const page = (await call(link.url)).text
    assert.match(plainText(page), /No money has been taken\./)
    assert.doesNotMatch(page, /pay-saved/)
    assert.equal((await lookUpMethod(id)).usable, usable)
    await payOnPage(link)
    assert.equal((await lookUp(house, link.txRef)).status, 'success', 'with a card that is typed')
  }
})
