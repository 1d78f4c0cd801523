import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { newLink, putInState } from '../support/customer.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { happens } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { openReceiver } from '../support/receiver.ts'

// The threat table, the rows that concern what merchants send us and customers see.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

async function refused(fields: Record<string, unknown>, key = house.secretKey): Promise<string> {
  const answer = await post(`${house.url}/api/payment`, paymentRequest(fields), key)
  assert.equal(answer.status, 400, JSON.stringify(fields))
  return answer.json.message
}

test('callback_url: a public installation never calls its own network, in any spelling', async () =>
  nothingNearIsCalled({ BASE_URL: 'https://pay.example.com' }))

test('callback_url: an installation others can reach is public, whatever BASE_URL says', async () => {
  await nothingNearIsCalled({ HOST: '0.0.0.0', BASE_URL: '' })
  await nothingNearIsCalled({ HOST: '192.168.7.7', BASE_URL: 'http://localhost:3000' })
})

async function nothingNearIsCalled(settings: Record<string, string>): Promise<void> {
  const receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const away = await openHouse({ settings })
  const worker = away.app.startWorker()
  try {
    const hosts = [
      '127.0.0.1',
      'localhost',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '127.1',
    ]
    for (const host of hosts) {
      const link = await newLink(away, { callback_url: `http://${host}:${port}/ipn` })
      const payment = { merchantId: away.merchantId, number: link.digits.slice(8) }
      await happens(away, payment, 'paid')
      await noted(away, link.txRef)
    }
    assert.deepEqual(receiver.received, [])
  } finally {
    await worker.stop()
    await away.close()
    await receiver.close()
  }
}

/** Waits for the try to be written down. */
async function noted(at: House, txRef: string): Promise<void> {
  for (;;) {
    const answer = await call(`${at.url}/api/transaction/${txRef}/notifications`, { key: at.secretKey })
    if (answer.text.includes('address_refused')) return
    assert.equal(answer.status, 200, answer.text)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('return_url, callback_url and logo: only http and https, without user and password', async () => {
  const bad = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'ftp://x.example/',
    'http://a:b@x.example/',
  ]
  for (const url of [
    ...bad,
    'java\nscript:alert(1)',
    'https://x .example',
    'https://x.example/\r\nset-cookie: a=b',
  ]) {
    for (const field of ['return_url', 'callback_url'])
      assert.match(await refused({ [field]: url }), new RegExp(field))
    assert.match(await refused({ customization: { logo: url } }), /logo/)
  }
  assert.match(await refused({ return_url: 'http://shop.example/' }, house.liveKey), /return_url/)
})

test('the customer is sent only to the stored return_url, never to one in the URL', async () => {
  const link = await newLink(house, { return_url: 'https://shop.example/thanks?a=1' })
  await putInState(house, link, 'success')
  const evil = 'return_url=https://evil.example&next=https://evil.example&status=success'
  const page = await call(`${link.url}?${evil}`)
  assert.match(page.text, /https:\/\/shop\.example\/thanks\?a=1&amp;tx_ref=/)
  assert.ok(!page.text.includes('evil.example'))
})

test('a title, a name, a description or meta can’t become markup, a header or its own line', async () => {
  const evil = '"><img src=x onerror=alert(1)></title><script>alert(1)</script>'
  const link = await newLink(house, {
    first_name: evil,
    last_name: evil,
    customization: { title: evil, description: evil },
    meta: { note: evil },
  })
  for (const state of ['pending', 'success', 'failed', 'expired'] as const) {
    await putInState(house, link, state)
    const page = (await call(link.url)).text
    assert.ok(!page.includes('<img src=x') && !page.includes('<script>alert'), state)
  }
  for (const field of ['first_name', 'last_name', 'email']) {
    assert.match(await refused({ [field]: 'Ada\r\nBcc: all@example.com' }), new RegExp(field))
  }
})

test('/ext_transfer: a form key is bound to amounts, currencies and hosts, whatever the page was edited to', async () => {
  const bounds = { hosts: ['shop.example'], currencies: ['GBP'], minMinor: 100n, maxMinor: 5_000n }
  const { key } = await createKey(house.db, house.merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'shop',
    bounds,
  })
  const send = async (fields: Record<string, string>) => {
    const good = {
      ...paymentRequest({ amount: '20.00' }),
      return_url: 'https://shop.example/thanks',
    } as Record<string, string>
    const body = new URLSearchParams({ ...good, secret_key: key, ...fields }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    return (await call(`${house.url}/ext_transfer`, { method: 'POST', body, headers })).status
  }
  assert.equal(await send({}), 303)
  const edits = [
    { amount: '0.99' },
    { amount: '50.01' },
    { return_url: 'https://evil.example/' },
    { currency: 'EUR' },
  ]
  for (const edit of edits) assert.equal(await send(edit), 400, JSON.stringify(edit))
  const asSecret = await call(`${house.url}/api/transactions`, { key })
  assert.equal(asSecret.status, 401, 'and it reads nothing')
})

test('/payment/…: no guess, no frame, no cache, no referrer', async () => {
  const links = await Promise.all(Array.from({ length: 50 }, () => newLink(house)))
  assert.equal(new Set(links.map(({ digits }) => digits.slice(8, 16))).size, 50)
  const { headers } = await call(links[0]?.url ?? '')
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(headers.get('x-frame-options'), 'DENY')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('set-cookie'), null)
})

test('projects: neither search nor sort can inject SQL', async () => {
  for (const project of ['100 % wool', '100 x wool', 'under_score', 'underXscore']) {
    await post(`${house.url}/api/v1/projects`, { project }, house.apiKey)
  }
  const ask = async (query: string) => call(`${house.url}/api/v1/projects?${query}`, { key: house.apiKey })
  const found = async (search: string): Promise<string[]> => {
    const { json } = await ask(`search=${encodeURIComponent(search)}`)
    return (json.data as { project: string }[]).map(({ project }) => project)
  }
  assert.deepEqual(await found('%'), ['100 % wool'])
  assert.deepEqual(await found('_'), ['under_score'])
  assert.deepEqual(await found("' or 1=1 --"), [])
  for (const name of ['sort', 'order', 'order_by', 'sort_by', 'direction']) {
    const { status } = await ask(`${name}=${encodeURIComponent('id; drop table projects')}`)
    assert.ok(status === 400 || status === 200, name)
  }
  assert.equal((await found('wool')).length, 2)
})
