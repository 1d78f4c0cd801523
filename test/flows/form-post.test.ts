import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { changeMerchant } from '../../src/core/merchants/create-merchant.ts'
import { listKeys } from '../../src/core/merchants/list.ts'
import { call, openHouse, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { happens } from '../support/pay.ts'
import { waitUntil } from '../support/wait-until.ts'

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

type Fields = Record<string, string>

function form(changes: Fields = {}): Fields {
  return {
    secret_key: house.secretKey,
    ...(paymentRequest() as Fields),
    title: 'Order',
    meta: '',
    ...changes,
  }
}

async function send(
  fields: Fields,
  headers: Record<string, string> = { accept: 'text/html' },
): Promise<Answer> {
  return call(`${house.url}/ext_transfer`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

async function lookUp(txRef: string, key = house.secretKey): Promise<Record<string, unknown>> {
  const answer = await call(`${house.url}/api/transaction/${txRef}`, { key })
  return answer.json.data
}

test('a valid form leads to the checkout with 303, without a cookie', async () => {
  const fields = form({ description: 'Two chairs', logo: 'https://shop.example.com/l.png' })
  const answer = await send(fields)
  assert.equal(answer.status, 303, answer.text)
  assert.match(answer.headers.get('location') ?? '', /\/payment\/\d{32}$/)
  assert.equal(answer.headers.get('set-cookie'), null)
  const found = await lookUp(fields['tx_ref'] ?? '')
  assert.equal(found['type'], 'Form')
  assert.deepEqual(found['customization'], {
    title: 'Order',
    description: 'Two chairs',
    logo: 'https://shop.example.com/l.png',
  })
})

test('multipart without files is accepted too, and a file is refused', async () => {
  const data = new FormData()
  for (const [name, value] of Object.entries(form())) data.set(name, value)
  const good = await fetch(`${house.url}/ext_transfer`, { method: 'POST', body: data, redirect: 'manual' })
  assert.equal(good.status, 303)
  data.set('tx_ref', 'with-a-file')
  data.set('logo', new Blob(['x']), 'x.png')
  const bad = await fetch(`${house.url}/ext_transfer`, { method: 'POST', body: data, redirect: 'manual' })
  assert.equal(bad.status, 400)
})

test('the first value of a repeated field counts, so nothing appended to a form changes it', async () => {
  const first = form()
  const twice = new URLSearchParams(first)
  twice.append('amount', '0.01')
  const answer = await call(`${house.url}/ext_transfer`, {
    method: 'POST',
    body: twice.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(answer.status, 303, answer.text)
  assert.equal((await lookUp(first['tx_ref'] ?? ''))['amount'], '1,234.50')

  const second = form()
  const parts = new FormData()
  for (const [name, value] of Object.entries({ ...second })) parts.append(name, value)
  parts.append('amount', '0.01')
  const multipart = await fetch(`${house.url}/ext_transfer`, {
    method: 'POST',
    body: parts,
    redirect: 'manual',
  })
  assert.equal(multipart.status, 303)
  assert.equal((await lookUp(second['tx_ref'] ?? ''))['amount'], '1,234.50')
})

test('meta may be empty, JSON as text, or inputs', async () => {
  const rows: [Fields, unknown][] = [
    [{ meta: '' }, {}],
    [{ meta: '{"cart":7}' }, { cart: 7 }],
    [
      { 'meta[cart]': '7', 'meta[colour]': 'blue' },
      { cart: '7', colour: 'blue' },
    ],
    [
      { meta: ' {"cart":7, "colour":"red"}\n', 'meta[colour]': 'blue', 'meta[size]': 'L' },
      { cart: 7, colour: 'blue', size: 'L' },
    ],
    [{ meta: '{ }', 'meta[cart]': '7' }, { cart: '7' }],
    [{ meta: 'null', 'meta[cart]': '7' }, { cart: '7' }],
    [{ meta: '[]', 'meta[cart]': '7' }, { cart: '7' }],
    [{ meta: '[]' }, {}],
    [{ 'meta[cart][id]': '7', 'meta[cart][items][]': 'chair' }, { cart: { id: '7', items: ['chair'] } }],
    [{ 'meta[]': 'blue' }, { 0: 'blue' }],
  ]
  for (const [changes, expected] of rows) {
    const fields = form(changes)
    assert.equal((await send(fields)).status, 303)
    assert.deepEqual((await lookUp(fields['tx_ref'] ?? ''))['meta'], expected)
  }
})

test('meta that is no object is refused with the usual message, beside every other broken rule', async () => {
  const texts = ['abc', '"abc"', '7', 'true', '{"a":1', '{"a":1}}', '{},"amount":"1"', '{]']
  for (const meta of texts) {
    for (const inputs of [{}, { 'meta[a]': '1' }] as Fields[]) {
      const fields = form({ meta, amount: '-1', first_name: '', ...inputs })
      const { json } = await send(fields, { accept: 'application/json' })
      assert.deepEqual(Object.keys(json.errors ?? {}), ['amount', 'first_name', 'meta'], meta)
      assert.deepEqual(json.errors?.['meta'], ['meta must be an object'])
    }
  }
})

test('numbers in meta are returned as written in the form', async () => {
  const rows: [Fields, string][] = [
    [{}, '{"id":12345678901234567890,"f":1.10}'],
    [{ 'meta[a]': '1.0' }, '{"id":12345678901234567890,"f":1.10,"a":"1.0"}'],
  ]
  for (const [inputs, expected] of rows) {
    const fields = form({ meta: '{"id":12345678901234567890,"f":1.10}', ...inputs })
    assert.equal((await send(fields)).status, 303)
    const path = `/api/transaction/${fields['tx_ref']}`
    const { text } = await call(house.url + path, { key: house.secretKey })
    assert.ok(text.includes(`"meta":${expected},`), text)
  }
})

test('pressing the shop’s button again continues the payment, and never asks to pay twice', async () => {
  const fields = form()
  const url = (await send(fields)).headers.get('location') ?? ''
  const open = await send(fields)
  assert.equal(open.status, 409)
  assert.ok(open.text.includes(`href="${url}">Continue to payment</a>`), open.text)

  const somebodyElse = await send({ ...fields, email: 'eve@example.com' })
  assert.equal(somebodyElse.status, 409)
  assert.ok(!somebodyElse.text.includes(url), 'the link is for whoever knows the whole order')

  const [, merchantId = '', number = ''] = /(\d{8})(\d{24})$/.exec(url) ?? []
  await happens(house, { merchantId: Number(merchantId), number }, 'paid')
  const paid = await send(fields)
  assert.equal(paid.status, 409)
  assert.match(paid.text, /It(’|&#8217;)s paid\. You don(’|&#8217;)t have to pay again\./)
  assert.ok(paid.text.includes(`href="${url}">Open the receipt</a>`), paid.text)
  for (const { text } of [open, somebodyElse, paid]) {
    assert.doesNotMatch(text, /No money has been taken|try again/)
  }
  assert.match(somebodyElse.text, /tx_ref has been used before/)
  assert.doesNotMatch(open.text + paid.text, /For the shop/, 'a button pressed twice is no fault of the shop')
})

test('an invalid form gets a page a customer understands, with the rule for the shop', async () => {
  const answer = await send(form({ amount: '-1', return_url: 'https://shop.example.com/thanks?a=1' }))
  assert.equal(answer.status, 400)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(answer.text, /No money has been taken\./)
  assert.match(answer.text, /amount must be a plain decimal number such as 1000\.50/)
  assert.match(
    answer.text,
    /<a class="plain button" href="https:\/\/shop\.example\.com" rel="noreferrer"\s*>Return to Corner shop<\/a/,
  )
})

test('the page has no link for an unknown key, and nothing of it becomes markup', async () => {
  const answer = await send(form({ secret_key: '<script>', return_url: 'https://evil.example.com' }))
  assert.equal(answer.status, 401)
  assert.doesNotMatch(answer.text, /evil\.example\.com|<script>/)
})

test('a client that prefers JSON gets the envelope, with the form’s field names', async () => {
  const answer = await send(form({ title: 'x'.repeat(101) }), { accept: 'application/json, text/html;q=0.5' })
  assert.equal(answer.status, 400)
  const rule = 'title must be at most 100 characters'
  assert.deepEqual(answer.json, {
    status: 'failed',
    message: rule,
    data: null,
    code: 'validation_failed',
    errors: { title: [rule] },
  })
  const late = await send(form({ amount: 'x' }), { accept: `${'image/x, '.repeat(20)}application/json` })
  assert.match(late.text, /^<!doctype/i, 'no more than 20 entries are read')
})

test('a used tx_ref is 409, a body of another type 415, a large one 413', async () => {
  const fields = form()
  await send(fields)
  assert.equal((await send(fields)).status, 409)
  const json = await call(`${house.url}/ext_transfer`, {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(json.status, 415)
  assert.equal((await send(form({ description: 'x'.repeat(70_000) }))).status, 413)
})

test('a form key starts payments only within its bounds', async () => {
  const { key } = await createKey(house.db, house.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'web',
    bounds: { hosts: ['shop.example.com'], currencies: ['GBP'], minMinor: 100n, maxMinor: 5000n },
  })
  const bound = (changes: Fields): Fields =>
    form({ secret_key: key, amount: '20', return_url: 'https://shop.example.com/thanks', ...changes })
  const rows: [Fields, string | undefined][] = [
    [{}, undefined],
    [{ amount: '1.00' }, undefined],
    [{ amount: '50.00' }, undefined],
    [{ amount: '0.99' }, 'amount is below the minimum of this form key'],
    [{ amount: '50.01' }, 'amount is above the maximum of this form key'],
    [{ return_url: 'https://evil.example.com' }, 'return_url must use a host allowed for this form key'],
    ...[
      'https://shop.example.com.evil.com',
      'https://evilshop.example.com',
      'https://www.shop.example.com',
      'https://example.com',
      'https://evil.com/shop.example.com',
      'https://evil.com?shop.example.com',
    ].map((return_url): [Fields, string] => [
      { return_url },
      'return_url must use a host allowed for this form key',
    ]),
  ]
  for (const [changes, message] of rows) {
    const answer = await send(bound(changes), { accept: 'application/json' })
    assert.equal(answer.status, message === undefined ? 303 : 400, answer.text)
    if (message !== undefined) assert.equal(answer.json.message, message)
  }
  // The page of a refusal leads back to the key's own hosts, and nowhere else.
  const shown = async (return_url: string): Promise<string> =>
    (await send(bound({ amount: '0.99', return_url }))).text
  assert.match(await shown('https://shop.example.com/cart'), /href="https:\/\/shop\.example\.com"/)
  assert.doesNotMatch(await shown('https://evilshop.example.com/cart'), /evilshop/)
  const asSecret = await call(`${house.url}/api/transactions`, { key })
  assert.equal(asSecret.status, 401, 'a form key is no secret key')
})

test('a form key accepts return_urls to its hosts, however they are written', async () => {
  const hosts = ['münchen.de', 'Shop.Example.com', 'localhost', '::1', '127.0.0.1']
  const { key } = await createKey(house.db, house.merchantId, {
    kind: 'form',
    name: 'web',
    bounds: { hosts },
  })
  for (const return_url of [
    'https://münchen.de/danke',
    'https://xn--mnchen-3ya.de',
    'https://SHOP.example.com:8443/',
    'http://localhost:8080/thanks',
    'http://[::1]:8080/thanks',
    'http://127.0.0.1/',
  ]) {
    const answer = await send(form({ secret_key: key, return_url }), { accept: 'application/json' })
    assert.equal(answer.status, 303, `${return_url}: ${answer.text}`)
  }
})

test('a live secret key in a form is accepted, marked exposed and reported once; a merchant can disable that', async () => {
  const live = (): Fields => form({ secret_key: house.liveKey, return_url: 'https://shop.example.com' })
  assert.equal((await send(live())).status, 303)
  assert.equal((await send(live())).status, 303)
  const keys = await listKeys(house.db, house.merchantId)
  assert.equal(keys.filter((row) => row.exposed_at !== null).length, 1)
  const mails = await house.db.query<{ body: string }>(
    sql`select body from deliveries where event = 'key.exposed'`,
  )
  assert.equal(mails.length, 1, 'the merchant is told once')
  assert.doesNotMatch(mails[0]?.body ?? '', new RegExp(house.liveKey))

  await changeMerchant(house.db, house.merchantId, { formsTakeSecretKeys: false })
  await waitUntil('the servers heard of the change', async () => (await send(form())).status === 401)
  const answer = await send(form(), { accept: 'application/json' })
  assert.equal(answer.json.message, "This account doesn't accept secret keys in web forms: use a form key")
  await changeMerchant(house.db, house.merchantId, { formsTakeSecretKeys: true })
})
