import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { brand, giveBrand } from '../support/branded.ts'
import { newLink } from '../support/customer.ts'
import { form, openFormShop, type FormShop } from '../support/form-shop.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { signedIn } from '../support/visitor.ts'
import { tryCard } from '../support/stranger.ts'

// Something went wrong, and the page still says whose it is, as far as that is known.

const accept = 'text/html'
let house: House
let web: FormShop
before(async () => {
  house = await openHouse({ settings: { TRUSTED_PROXIES: '127.0.0.1', MISS_LIMIT_PER_SECOND: '1000' } })
  await giveBrand(house)
  web = openFormShop(house)
})
after(() => house.close())

function isBranded(text: string): boolean {
  const marks = ['Corner shop', `mailto:${brand.supportEmail}`, '1 High Street', `/logo/${house.merchantId}/`]
  const found = marks.filter((mark) => text.includes(mark))
  assert.ok(found.length === 0 || found.length === marks.length, `only ${found.join(', ')}`)
  // A colour of its own: the rule takes the place of our accent.
  return found.length > 0 && text.includes(':root{--accent:')
}

test('a page that refuses a foreign post has the shop’s brand', async () => {
  const link = await newLink(house)
  for (const verb of ['pay', 'cancel', 'choose', 'challenge']) {
    const { status, text } = await call(`${link.url}/${verb}`, {
      method: 'POST',
      body: 'token=wrong',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(status, 403, verb)
    assert.ok(isBranded(text), verb)
  }
})

test('a failure while paying has the shop’s brand, because the form carried its token', async () => {
  const link = await newLink(house)
  await tryCard(house, link)
  const { token } = (await call(`${link.url}/state`)).json as unknown as { token: string }
  await house.db.query(sql`alter table attempts rename to attempts_away`)
  const sent = async (fields: Record<string, string>) =>
    call(`${link.url}/pay`, {
      method: 'POST',
      body: new URLSearchParams({
        number: '4242424242424242',
        expiry: '12/40',
        cvc: '123',
        name: 'A',
        ...fields,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  try {
    const broken = await sent({ token })
    assert.equal(broken.status, 500)
    assert.match(broken.text, /We don(’|&#8217;)t know yet whether your payment went through/)
    assert.ok(isBranded(broken.text))
    const guessed = await sent({ token: 'x' })
    assert.equal(guessed.status, 500)
    assert.ok(!isBranded(guessed.text), 'nobody has shown that this payment exists')
  } finally {
    await house.db.query(sql`alter table attempts_away rename to attempts`)
  }
})

test('a URL without a payment or link shows no brand, though it starts with a merchant’s number', async () => {
  for (const path of [
    `/payment/${house.merchantId}${'1'.repeat(24)}`,
    `/payment/${house.merchantId}${'1'.repeat(24)}/receipt.pdf`,
    `/payment/${house.merchantId}`,
    `/link/${house.merchantId}${'a'.repeat(16)}`,
  ]) {
    const { status, text } = await call(house.url + path)
    assert.equal(status, 404, path)
    assert.ok(!isBranded(text), path)
  }
})

test('a foreign post to a link’s page is refused with the shop’s brand', async () => {
  const owner = await signedIn(house, { role: 'owner' })
  const fields = { kind: 'reusable', title: 'Donation', currency: 'GBP', least: '5', most: '500' }
  const made = await owner.fill(`/dashboard/${house.merchantId}/test/links/new`, fields)
  const { status, text } = await call(`${house.url}/link/${house.merchantId}${made.to.slice(-16)}`, {
    method: 'POST',
    body: 'token=wrong&ref=none',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(status, 403)
  assert.ok(isBranded(text))
})

test('a refused form has its key’s brand: to correct, to pass on, or already started', async () => {
  const key = await web.formKey()
  const good = form(key)
  assert.equal((await web.send(good)).status, 303)
  for (const [fields, title] of [
    [form(key, { email: 'ada@' }), 'Check your details'],
    [form(key, { amount: 'much' }), 'The payment could not be started'],
    [good, 'This payment was already started'],
  ] as const) {
    const { text, headers } = await web.send(fields, { accept })
    assert.ok(text.includes(`<h1 id="refused">${title}</h1>`), title)
    assert.ok(isBranded(text), title)
    assert.match(headers.get('content-security-policy') ?? '', /img-src 'self' data:/)
  }
  const nobody = await web.send(form({ key: `fk_test_${'0'.repeat(40)}` }), { accept })
  assert.ok(nobody.text.includes('The payment could not be started'))
  assert.ok(!isBranded(nobody.text), 'a key that nobody has')
})
