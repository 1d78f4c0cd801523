import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { rollKey } from '../../src/core/merchants/change-keys.ts'
import { form, openFormShop, signed, type FormShop } from '../support/form-shop.ts'
import { call, openHouse, type House } from '../support/house.ts'

// What a stranger can do who reads a form key in a shop's page, and sends forms of his own with it.

let house: House
let web: FormShop
let time = new Date('2026-11-15T12:00:00Z')
const shop = 'https://shop.example.com'

before(async () => {
  house = await openHouse({
    settings: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '20' },
    // Nobody's budget grows but when a test says so.
    world: { now: () => time },
  })
  web = openFormShop(house)
})
after(() => house.close())

test('a form can’t make us call a host its key isn’t bound to', async () => {
  const key = await web.formKey()
  const rule = 'callback_url must use a host allowed for this form key'
  for (const callback_url of [
    'https://victim.example.org/ipn',
    'https://shop.example.com.evil.example/ipn',
    'https://evil.example/?shop.example.com',
    'http://127.0.0.1:5432/',
    'http://[::1]/',
  ]) {
    const fields = form(key, { callback_url })
    assert.deepEqual((await web.send(fields)).json.errors, { callback_url: [rule] }, callback_url)
    assert.equal(await web.rowsOf(fields['tx_ref']), 0)
  }
  assert.equal((await web.send(form(key, { callback_url: `${shop}:8443/ipn` }))).status, 303)

  const apart = await web.formKey({ callbackHosts: ['hooks.example.com'] })
  const callback_url = 'https://hooks.example.com/ipn'
  assert.equal((await web.send(form(apart, { callback_url, return_url: `${shop}/thanks` }))).status, 303)
  assert.deepEqual(
    (await web.send(form(apart, { callback_url: `${shop}/ipn`, return_url: callback_url }))).json.errors,
    {
      callback_url: [rule],
      return_url: ['return_url must use a host allowed for this form key'],
    },
  )
})

test('a form accepts only tx_refs with its key’s prefix', async () => {
  const key = await web.formKey({ txRefPrefix: 'web-' })
  const rule = 'tx_ref must begin with web-, the prefix of this form key'
  for (const tx_ref of ['order-1001', 'WEB-1', 'web', ' web', 'xweb-1', '1001web-']) {
    assert.deepEqual((await web.send(form(key, { tx_ref }))).json.errors, { tx_ref: [rule] }, tx_ref)
    assert.equal(await web.rowsOf(tx_ref.trim()), 0)
  }
  for (const tx_ref of ['web-1', ' web-2 ', 'web-'])
    assert.equal((await web.send(form(key, { tx_ref }))).status, 303)
})

test('a stranger’s title and logo don’t appear under the merchant’s name, and the sale continues', async () => {
  const words = {
    title: 'Call 0900 1234 to win',
    description: 'x'.repeat(999),
    logo: 'javascript:alert(1)',
    items: '[{"name":"Call 0900","unit_amount":"1"}]',
  }
  const inBrackets = {
    'customization[title]': 'Call 0900',
    'customization[logo]': 'https://evil.example/l.png',
  }
  const nothing = { title: '', description: '', logo: '' }
  for (const fields of [form(await web.formKey(), words), form(await web.formKey(), inBrackets)]) {
    const answer = await web.send(fields)
    assert.equal(answer.status, 303, answer.text)
    assert.deepEqual((await web.lookUp(fields['tx_ref']))['customization'], nothing)
    const page = await call(`${house.url}${new URL(answer.headers.get('location') ?? '').pathname}`)
    assert.doesNotMatch(page.text, /\b0900\b|evil\.example/)
  }
  const own = { title: 'Order 7', description: 'Two chairs', logo: `${shop}/l.png` }
  const allowed = form(await web.formKey({ showsTitle: true }), own)
  assert.equal((await web.send(allowed)).status, 303)
  assert.deepEqual((await web.lookUp(allowed['tx_ref']))['customization'], own)
  const vouched = signed(await web.formKey({}, true), own)
  assert.equal((await web.send(vouched)).status, 303)
  assert.deepEqual((await web.lookUp(vouched['tx_ref']))['customization'], own)
})

test('a flood uses up only its own budget, while the shop’s customers and the API continue', async () => {
  for (const [flooder, neighbours] of [
    ['203.0.113.7', ['203.0.113.7']],
    // Whoever has a /64 has all of its addresses.
    ['2001:db8:1:2::1', ['2001:db8:1:2::2', '2001:db8:1:2:ffff::1']],
  ] as const) {
    const key = await web.formKey()
    const flood = await Promise.all(Array.from({ length: 60 }, () => web.send(form(key), { from: flooder })))
    const counts = Map.groupBy(flood, ({ status }) => status)
    assert.deepEqual([counts.get(303)?.length, counts.get(429)?.length], [20, 40])
    for (const from of neighbours) {
      const refused = await web.send(form(key), { from })
      assert.equal(refused.status, 429)
      assert.equal(refused.headers.get('retry-after'), '1')
    }
    for (let customer = 0; customer < 20; customer += 1) assert.equal((await web.send(form(key))).status, 303)
    assert.equal(
      (await web.send(form(await web.formKey()), { from: flooder })).status,
      303,
      'of another key there is more',
    )
  }
  // A secret key in a form is as public: who floods with it leaves the shop's own program alone.
  const secret = { key: house.secretKey }
  time = new Date(time.getTime() + 20_000)
  await Promise.all(Array.from({ length: 60 }, () => web.send(form(secret), { from: '203.0.113.8' })))
  const calls = Array.from({ length: 20 }, () =>
    call(`${house.url}/api/transactions`, { key: house.secretKey }),
  )
  for (const { status } of await Promise.all(calls)) assert.equal(status, 200)
  time = new Date(time.getTime() + 20_000)
})

test('refused forms use the budget too', async () => {
  const key = await web.formKey({}, true)
  const from = '203.0.113.9'
  for (let sent = 0; sent < 20; sent += 1) assert.equal((await web.send(form(key), { from })).status, 400)
  assert.equal((await web.send(signed(key), { from })).status, 429)
})

test('a rolled key keeps every bound and has its own secret, beside the old one', async () => {
  const old = await web.formKey({ callbackHosts: ['hooks.example.com'], txRefPrefix: 'web-' }, true)
  const fresh = await rollKey(house.db, house.merchantId, old.id, 1, bySystem, { signing: house.secrets })
  assert.match(fresh.formSecret ?? '', /^fsec_\w{43}$/)
  assert.notEqual(fresh.formSecret, old.formSecret)
  for (const key of [old, fresh]) {
    const good = { tx_ref: `web-${key.id}`, callback_url: 'https://hooks.example.com' }
    assert.equal((await web.send(signed(key, good))).status, 303)
    assert.match((await web.send(form(key, good))).json.message, /^form_signature is required/)
    assert.match((await web.send(signed(key, { ...good, tx_ref: 'x' }))).json.message, /^tx_ref must begin/)
    assert.match(
      (await web.send(signed(key, { ...good, callback_url: shop }))).json.message,
      /^callback_url must/,
    )
  }
  assert.match(
    (await web.send(signed(fresh, { tx_ref: 'web-1' }, old.formSecret))).json.message,
    /does not match/,
  )
})

test('form keys from before these bounds keep working as they did, rolled or not', async () => {
  const [unbound, bound] = [await web.formKey(), await web.formKey()]
  await house.db.query(sql`
    update keys set form_hosts = null, form_callback_hosts = null, form_shows_title = null
    where merchant_id = ${house.merchantId} and id = ${unbound.id}`)
  await house.db.query(sql`
    update keys set form_callback_hosts = null, form_shows_title = null
    where merchant_id = ${house.merchantId} and id = ${bound.id}`)
  for (const old of [unbound, bound]) {
    const fresh = await rollKey(house.db, house.merchantId, old.id, 1)
    for (const key of [old, fresh]) {
      const fields = form(key, { callback_url: 'https://anywhere.example.org/ipn', title: 'Order 7' })
      const answer = await web.send(fields)
      assert.equal(answer.status, 303, answer.text)
      const found = (await web.lookUp(fields['tx_ref'])) as { customization: { title: string } }
      assert.equal(found.customization.title, 'Order 7')
    }
  }
})
