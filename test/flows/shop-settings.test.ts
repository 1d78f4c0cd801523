import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { changeShop } from '../../src/core/merchants/create-merchant.ts'
import { expirePayments } from '../../src/core/payments/attempts/expire-payments.ts'
import { newLink, type Link } from '../support/customer.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { runFlorin } from '../support/run-florin.ts'
import { actionsOf, signedIn, type Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// How long a payment can be paid and which languages the checkout offers, from the setting to the customer.

let house: House
let owner: Visitor

before(async () => {
  house = await openHouse()
  owner = await signedIn(house, { role: 'owner' })
})
after(() => house.close())

beforeEach(async () => {
  await changeShop(house.db, house.merchantId, {
    merchant: { payWithinMinutes: 1_440 },
    brand: { languages: [] },
  })
})

const edit = (): string => `/dashboard/${house.merchantId}/test/settings/payments/edit`
const shopNow = async () => (await readMerchant(house.db, house.merchantId)) ?? assert.fail('no merchant')

/** Ticked languages, with the one for everybody else. */
function speaking(first: string, ...codes: string[]): Record<string, string> {
  return { first_language: first, ...Object.fromEntries(codes.map((code) => [`language_${code}`, 'yes'])) }
}

/** Servers forget what they remember of a merchant when they hear of the change, which takes a moment. */
async function untilKnown(minutes: number): Promise<Link> {
  let link: Link | undefined
  await waitUntil('new payments have the new time', async () => {
    link = await newLink(house)
    return (await minutesOf(link)) === minutes
  })
  return link ?? assert.fail()
}

async function minutesOf({ digits }: Link): Promise<number | undefined> {
  const [row] = await house.db.query<{ minutes: number }>(sql`
    select (extract(epoch from expires_at - created_at) / 60)::integer as minutes from payments
    where merchant_id = ${house.merchantId} and number = ${digits.slice(8)}`)
  return row?.minutes
}

test('an owner sets how long payments can be paid: new ones use it, existing ones keep their deadline', async () => {
  const old = await newLink(house)
  assert.equal(await minutesOf(old), 1_440)
  const saved = await owner.fill(edit(), { pay_within: '90', pay_within_unit: 'minutes' })
  assert.equal(saved.status, 303)
  assert.match((await owner.get(saved.to)).text, /Time to pay<\/dt>\s*<dd>90 minutes</)
  const fresh = await untilKnown(90)
  assert.equal(await minutesOf(old), 1_440)

  const { paying } = house.app
  const inMinutes = (minutes: number) => ({ ...paying, now: () => new Date(Date.now() + minutes * 60_000) })
  await expirePayments(inMinutes(80))
  assert.match((await call(fresh.url)).text, /name="number"/)
  await expirePayments(inMinutes(91))
  const { text } = await call(fresh.url)
  assert.match(text, /This payment link has expired/)
  assert.match(text, /It was valid until \d{1,2} \w+ \d{4}, \d\d:\d\d UTC/)
  assert.match((await call(old.url)).text, /name="number"/)
})

test('the time to pay is half an hour to thirty days, in the form, on the command line and in the database', async () => {
  for (const [count, unit] of [
    ['29', 'minutes'],
    ['31', 'days'],
    ['0', 'hours'],
    ['-1', 'days'],
    ['1.5', 'hours'],
    ['', 'hours'],
    ['two', 'hours'],
    ['2', 'weeks'],
    ['2', 'toString'],
  ] as const) {
    const fields = { pay_within: count, pay_within_unit: unit, email: 'new@example.com' }
    const refused = await owner.fill(edit(), fields)
    assert.equal(refused.status, 400, `${count} ${unit}`)
    assert.match(refused.text, /id="pay_within-error">Time to pay must be 30 minutes to 30 days/)
  }
  const { payWithinMinutes, email } = await shopNow()
  assert.deepEqual([payWithinMinutes, email], [1_440, null])
  await assert.rejects(
    house.db.query(sql`update merchants set pay_within_minutes = 29 where id = ${house.merchantId}`),
    /merchants_pay_within_minutes_check/,
  )
  await owner.fill(edit(), { pay_within: '30', pay_within_unit: 'days' })
  assert.equal((await shopNow()).payWithinMinutes, 43_200)
})

test('the checkout offers only the shop’s languages, and the first is the fallback', async () => {
  const { url } = await newLink(house)
  const saved = await owner.fill(edit(), speaking('cy', 'en', 'cy'))
  assert.equal(saved.status, 303)
  assert.match((await owner.get(saved.to)).text, /Welsh, English; Welsh by default/)
  const seenBy = async (accept: string, query = ''): Promise<string> => {
    const { headers } = await call(url + query, { headers: { 'accept-language': accept } })
    return headers.get('content-language') ?? ''
  }
  await waitUntil('it is known', async () => (await seenBy('fr')) === 'cy')
  assert.equal(await seenBy('en-GB,fr;q=0.5'), 'en')
  assert.equal(await seenBy('fr, en;q=0.1'), 'en')
  assert.equal(await seenBy('en', '?lang=cy'), 'cy')
  assert.equal(await seenBy('en', '?lang=fr'), 'en')
  const { text } = await call(url)
  const offered = [...text.matchAll(/hreflang="(\w+)"/g)].map((match) => match[1])
  assert.deepEqual(offered, ['cy', 'en'])
  // Where there is no payment, nobody's wishes are known.
  const astray = await call(`${house.url}/payment/${'1'.repeat(32)}`, {
    headers: { 'accept-language': 'fr' },
  })
  assert.equal(astray.headers.get('content-language'), 'fr')

  await owner.fill(edit(), speaking('de', 'de'))
  await waitUntil('it is known', async () => (await seenBy('cy')) === 'de')
  assert.doesNotMatch((await call(url)).text, /hreflang/)
  const all = ['en', 'cy', 'fr', 'de', 'es', 'pl', 'ar']
  await owner.fill(edit(), speaking('en', ...all))
  assert.deepEqual((await shopNow()).brand.languages, [])
  await waitUntil('it is known', async () => (await seenBy('fr')) === 'fr')
})

test('a customer who pays in an unoffered language gets the receipt in the first one', async () => {
  const { url, digits } = await newLink(house)
  await owner.fill(edit(), speaking('pl', 'pl', 'de'))
  const headers = { 'accept-language': 'fr' }
  await waitUntil(
    'it is known',
    async () => (await call(url, { headers })).headers.get('content-language') === 'pl',
  )
  const token = /name="token" value="([^"]+)"/.exec((await call(url, { headers })).text)?.[1] ?? ''
  const card = { token, number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ada' }
  const paid = await call(`${url}/pay`, {
    method: 'POST',
    body: new URLSearchParams(card).toString(),
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(paid.status, 303)
  const mails = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
  const receipt = mails.find(({ number }) => number === digits.slice(8))
  assert.match(receipt?.text ?? '', /\?lang=pl/)
})

test('no language, an unknown one, or an unoffered first one is refused, and nothing changes', async () => {
  for (const fields of [
    speaking('en'),
    speaking('fr', 'en', 'de'),
    speaking('xx', 'en'),
    { ...speaking('en'), language_xx: 'yes' },
  ]) {
    const refused = await owner.fill(edit(), { ...fields, embed_hosts: 'shop.example.com' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /id="languages-error"/)
  }
  const { brand } = await shopNow()
  assert.deepEqual([brand.languages, brand.embedHosts], [[], []])
  // What is wrong with one half of the form leaves the other half as it was.
  const half = await owner.fill(edit(), {
    ...speaking('en', 'en'),
    pay_within: '1',
    pay_within_unit: 'minutes',
  })
  assert.equal(half.status, 400)
  assert.match(half.text, /name="language_cy" value="yes"\s*\/>/)
  assert.deepEqual((await shopNow()).brand.languages, [])
})

test('an owner chooses whether customers see the receipt before the shop', async () => {
  await owner.fill(edit(), { after_paying: 'receipt' })
  assert.equal((await shopNow()).brand.receiptFirst, true)
  const shown = await owner.get(edit().replace(/\/edit$/, ''))
  assert.match(shown.text, /The receipt, with a button back to you/)
  await owner.fill(edit(), { after_paying: 'shop' })
  assert.equal((await shopNow()).brand.receiptFirst, false)
})

test('owners change language and time to pay, which is audited; developers can only view them', async () => {
  const count = (await actionsOf(house)).length
  await owner.fill(edit(), { ...speaking('en', 'en'), pay_within: '2', pay_within_unit: 'days' })
  assert.deepEqual((await actionsOf(house)).slice(count), ['merchant.changed', 'merchant.changed'])
  const entries = await house.db.query<{ after: Record<string, unknown> }>(sql`
    select after from audit_log where merchant_id = ${house.merchantId} order by at desc, id desc limit 2`)
  const facts = Object.assign({}, ...entries.map((entry) => entry.after)) as Record<string, unknown>
  assert.deepEqual(facts, { languages: ['en'], pay_within_minutes: 2_880 })

  for (const role of ['developer', 'support'] as const) {
    const visitor = await signedIn(house, { role })
    const page = await visitor.get(edit().replace('/edit', ''))
    assert.equal(page.status, role === 'developer' ? 200 : 403)
    assert.equal((await visitor.fill(edit(), { pay_within: '3', pay_within_unit: 'days' })).status, 403)
  }
  assert.equal((await shopNow()).payWithinMinutes, 2_880)
})

test('the command line sets and shows languages and time to pay', async () => {
  const florin = async (...args: string[]) =>
    runFlorin(['merchant', ...args], { DATABASE_URL: house.databaseUrl })
  const number = String(house.merchantId)
  const set = await florin(
    'set',
    number,
    '--pay-within',
    '7d',
    '--languages',
    'cy, EN,cy',
    '--receipt-first',
    'on',
  )
  assert.equal(set.code, 0, set.err)
  assert.match(set.out, /payments can be paid for 7 days/)
  const { payWithinMinutes, brand } = await shopNow()
  assert.deepEqual([payWithinMinutes, brand.languages, brand.receiptFirst], [10_080, ['cy', 'en'], true])
  const shown = JSON.parse((await florin('show', number, '--json')).out) as Record<string, string>
  assert.deepEqual(
    [shown['pay_within'], shown['languages'], shown['receipt_first']],
    ['7 days', 'cy, en', 'on'],
  )
  for (const [name, value, line] of [
    ['--pay-within', '29min', /^pay_within must be 30 minutes to 30 days$/],
    ['--pay-within', '31d', /^pay_within must be 30 minutes to 30 days$/],
    ['--pay-within', 'soon', /^--pay-within must be such as 30min, 24h or 7d, but is "soon"$/],
    ['--receipt-first', 'maybe', /^--receipt-first must be on or off, but is "maybe"$/],
    ['--languages', 'en,xx', /^languages must be some of en, cy, fr, de, es, pl, ar$/],
  ] as const) {
    const { code, err } = await florin('set', number, name, value)
    assert.equal(code, 64, value)
    assert.match(err.trim(), line)
  }
  await florin('set', number, '--languages', '', '--receipt-first', 'off')
  const now = await shopNow()
  assert.deepEqual([now.payWithinMinutes, now.brand.languages, now.brand.receiptFirst], [10_080, [], false])
})
