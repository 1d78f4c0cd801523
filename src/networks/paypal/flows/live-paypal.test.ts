import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { newLink, stateOf, type Link } from '../../../../test/support/customer.ts'
import { openLiveHouse, type LiveHouse } from '../../../../test/support/networks/live-house.ts'

// Live payments at PayPal's stand-in, beside Stripe's. No worker runs: what is known is known because the network was asked when
// somebody looked.

let house: LiveHouse
before(async () => {
  house = await openLiveHouse({ at: ['stripe', 'paypal'] })
  for (const { callbacks } of [house.networks.stripe, house.networks.paypal]) callbacks.manner = 'lost'
})
after(() => house.close())

const methods = { stripe: 'card', paypal: 'wallet' } as const

async function read(url: string): Promise<string> {
  return (await fetch(url, { redirect: 'manual' })).text()
}

/** A tab with the checkout page; returns the token in its forms. */
async function openTab({ url }: Link): Promise<string> {
  return /name="token" value="([^"]+)"/.exec(await read(url))?.[1] ?? ''
}

/** The customer chooses and is led to the network's page, whose order is returned. */
async function choose(link: Link, network: keyof typeof methods, tab?: string): Promise<string> {
  const { url } = link
  const token = tab ?? (await openTab(link))
  const choice = { token, account: house.accountIds[network], method: methods[network] }
  await fetch(`${url}/choose`, { method: 'POST', body: new URLSearchParams(choice), redirect: 'manual' })
  const page = /href="(http:\/\/127\.0\.0\.1:\d+\/(?:pay\/|checkoutnow\?token=)\w+)"/.exec(
    await read(`${url}/away`),
  )
  return /\w+$/.exec(page?.[1] ?? '')?.[0] ?? ''
}

/** Networks are not asked at every look. */
async function comeBackLater({ url, digits }: Link): Promise<void> {
  await house.db.query(sql`update attempts set asked_at = null where number = ${digits.slice(8)}`)
  await read(`${url}/return`)
}

function capturesOf({ digits }: Link) {
  const { orders, captures } = house.networks.paypal.books
  const ours = ({ custom_id }: { custom_id: string }): boolean => custom_id.includes(digits.slice(8))
  const keys = [...orders.values()].filter(ours).flatMap(({ captureKeys }) => [...captureKeys])
  return { keys: new Set(keys).size, captures: [...captures.values()].filter(ours).length }
}

test('the button names PayPal and the amount in every language', async () => {
  const link = await newLink(house, {}, house.liveKey)
  for (const [language, says] of [
    ['en', /Pay £1,234.50 with PayPal/],
    ['de', /1\.234,50[^<]+ mit PayPal zahlen/],
    ['fr', /Payer [^<]+ avec PayPal/],
    ['es', /Pagar [^<]+ con PayPal/],
    ['pl', /Zapłać [^<]+ przez PayPal/],
    ['cy', /Talu [^<]+ gyda PayPal/],
    ['ar', /ادفع [^<]+ عبر PayPal/],
  ] as const) {
    const answer = await fetch(link.url, { headers: { 'accept-language': language } })
    const plain = (await answer.text()).replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    const way = plain.split('<button').find((part) => part.includes('PayPal')) ?? ''
    const button = way.replace(/<[^>]+>/g, '')
    assert.match(button, says, `${language}: ${button.slice(0, 300)}`)
  }
})

test('a customer who approved at PayPal and comes back has paid, and the money was taken once', async () => {
  const link = await newLink(house, {}, house.liveKey)
  const order = await choose(link, 'paypal')
  house.networks.paypal.act(order, 'pay')
  assert.equal(house.networks.paypal.books.captures.size, 0, 'approved is not paid')
  await Promise.all([read(`${link.url}/return`), read(`${link.url}/return`), read(link.url)])
  assert.equal(await stateOf(house, link), 'success')
  assert.deepEqual(capturesOf(link), { keys: 1, captures: 1 })
})

test('a capture whose answer is lost is asked about, and never sent with another key', async () => {
  const link = await newLink(house, {}, house.liveKey)
  const order = await choose(link, 'paypal')
  house.networks.paypal.act(order, 'pay')
  void house.networks.paypal.turn({ kind: 'cuts', when: 'after' }, { path: /capture$/ })
  await read(`${link.url}/return`)
  assert.equal(await stateOf(house, link), 'pending')
  await comeBackLater(link)
  assert.equal(await stateOf(house, link), 'success')
  assert.deepEqual(capturesOf(link), { keys: 1, captures: 1 })
})

test('two tabs at two networks give one charge, whichever the customer finishes first', async () => {
  for (const isApprovedFirst of [true, false]) {
    const link = await newLink(house, {}, house.liveKey)
    const tab = await openTab(link)
    const order = await choose(link, 'paypal')
    if (isApprovedFirst) house.networks.paypal.act(order, 'pay')
    const session = await choose(link, 'stripe', tab)
    house.networks.paypal.act(order, 'pay')
    await read(`${link.url}/return`)
    if (session !== '') house.networks.stripe.act(session, 'pay')
    await comeBackLater(link)
    assert.equal(await stateOf(house, link), 'success')
    const { captures } = capturesOf(link)
    assert.equal(captures, isApprovedFirst ? 1 : 0)
    assert.equal(chargesAtStripe(link) + captures, 1)
  }
})

function chargesAtStripe({ digits }: Link): number {
  return [...house.networks.stripe.books.intents.values()].filter(
    ({ metadata, amount_received }) => metadata['florin_payment'] === digits.slice(8) && amount_received > 0,
  ).length
}

test('a customer whose approval is refused at the capture can pay again', async () => {
  const link = await newLink(house, {}, house.liveKey)
  house.networks.paypal.act(await choose(link, 'paypal'), 'decline')
  await read(`${link.url}/return`)
  assert.equal(await stateOf(house, link), 'pending')
  const again = await choose(link, 'paypal')
  house.networks.paypal.act(again, 'pay')
  await read(`${link.url}/return`)
  assert.equal(await stateOf(house, link), 'success')
  assert.equal(capturesOf(link).captures, 1)
})
