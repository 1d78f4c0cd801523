import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { sendRaw } from '../support/raw-request.ts'

// The first call of a plugin, as libraries of other languages send it when nobody told them anything.

let house: House

before(async () => {
  house = await openHouse()
  await enableCurrency(house.db, house.merchantId, 'JPY')
})
after(() => house.close())

/** Byte by byte, as fetch would add a content type of its own. */
async function sendAs(type: string | undefined, body: string, path = '/api/payment') {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: a',
    'accept: application/json',
    `authorization: Bearer ${house.secretKey}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(type === undefined ? [] : [`content-type: ${type}`]),
  ]
  return sendRaw(house.url, `${head.join('\r\n')}\r\n\r\n${body}`)
}

async function lookUp(txRef: unknown): Promise<Record<string, unknown>> {
  const answer = await call(`${house.url}/api/transaction/${encodeURIComponent(String(txRef))}`, {
    key: house.secretKey,
  })
  assert.equal(answer.status, 200, `${String(txRef)}: ${answer.text}`)
  return answer.json.data
}

async function create(changes: Record<string, unknown>, written?: string): Promise<Answer> {
  return post(`${house.url}/api/payment`, written ?? paymentRequest(changes), house.secretKey)
}

test('the documented headers are enough: JSON without a content type, or with an unrequested one', async () => {
  const types = [
    undefined,
    'application/x-www-form-urlencoded',
    'text/plain;charset=UTF-8',
    'text/json',
    'application/vnd.api+json',
  ]
  for (const type of types) {
    for (const lead of ['', ' \r\n', '\ufeff']) {
      const answer = await sendAs(type, lead + JSON.stringify(paymentRequest()))
      assert.equal(answer.status, 201, `${type}: ${JSON.stringify(answer.json)}`)
    }
  }
  const none = await sendAs(undefined, 'tx_ref=1')
  assert.equal(none.json.code, 'malformed_body')
  const plain = await sendAs('text/plain', 'tx_ref=1')
  assert.equal(plain.status, 415)
})

test('a form is accepted like JSON, with brackets for nested fields', async () => {
  const request = paymentRequest() as Record<string, string>
  const nested = {
    'customization[title]': 'Order',
    'customization[description]': 'Two chairs',
    'meta[cart][id]': '7',
    'meta[cart][items][0]': 'chair',
    'meta[cart][items][1]': 'table',
    'meta[__proto__][x]': '1',
  }
  const fields = { ...request, ...nested }
  const urlencoded = await sendAs('application/x-www-form-urlencoded', new URLSearchParams(fields).toString())
  assert.equal(urlencoded.status, 201, JSON.stringify(urlencoded.json))
  const found = await lookUp(request['tx_ref'])
  assert.deepEqual(found['customization'], { title: 'Order', description: 'Two chairs', logo: '' })
  assert.equal(
    JSON.stringify(found['meta']),
    '{"cart":{"id":"7","items":["chair","table"]},"__proto__":{"x":"1"}}',
  )

  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, tx_ref: 'sent-as-multipart' }))
    form.set(name, value)
  const headers = { authorization: `Bearer ${house.secretKey}` }
  const multipart = await fetch(`${house.url}/api/payment`, { method: 'POST', headers, body: form })
  assert.equal(multipart.status, 201)
  assert.deepEqual((await lookUp('sent-as-multipart'))['meta'], found['meta'])

  const project = await sendAs('application/x-www-form-urlencoded', 'project=Summer', '/api/v1/projects')
  assert.equal(project.json.code, 'unauthorized', 'the key is looked at first')
  const made = await call(`${house.url}/api/v1/projects`, {
    method: 'POST',
    key: house.apiKey,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'project=Summer',
  })
  assert.equal(made.status, 201)
})

test('a form’s mistakes have the same messages', async () => {
  const fields = {
    ...(paymentRequest({ amount: '1,0' }) as Record<string, string>),
    'customization[logo]': 'x',
  }
  const answer = await sendAs('application/x-www-form-urlencoded', new URLSearchParams(fields).toString())
  assert.deepEqual(Object.keys((answer.json as { errors?: object }).errors ?? {}), [
    'amount',
    'customization.logo',
  ])
  const deep = `tx_ref=deep&meta${'[a]'.repeat(6_000)}=1`
  assert.equal((await sendAs('application/x-www-form-urlencoded', deep)).status, 400)
  const lists = `tx_ref=deep&meta${'[]'.repeat(10_000)}=1`
  assert.equal((await sendAs('application/x-www-form-urlencoded', lists)).status, 400)
})

test('empty optional fields count as absent', async () => {
  const optional = ['last_name', 'callback_url', 'return_url', 'customization', 'meta', 'project']
  for (const nothing of [null, '', '  ', [], {}]) {
    const request = paymentRequest(Object.fromEntries(optional.map((name) => [name, nothing])))
    const answer = await create({}, JSON.stringify(request))
    assert.equal(answer.status, 201, `${JSON.stringify(nothing)}: ${answer.text}`)
    const { last_name, customization, meta } = await lookUp(request['tx_ref'])
    assert.deepEqual([last_name, customization, meta], ['', { title: '', description: '', logo: '' }, {}])
  }
  const inside = { title: [], description: null, logo: {} }
  assert.equal((await create({ customization: inside })).status, 201)
  const oneName = paymentRequest()
  delete oneName['last_name']
  assert.equal((await create({}, JSON.stringify(oneName))).status, 201)
  const url = `${house.url}/api/transaction/${String(oneName['tx_ref'])}`
  assert.equal((await call(url, { key: house.secretKey })).json.data['last_name'], '')
})

test('text is trimmed, on create and on look-up', async () => {
  const answer = await create({
    tx_ref: ' spaced-1\t',
    amount: ' 10.50 ',
    currency: 'gbp ',
    email: ' ada@example.com\r\n',
    first_name: '\u00a0Ada ',
    last_name: ' Lovelace\n',
    return_url: ' https://shop.example.com/thanks ',
    customization: { title: ' Order ' },
    meta: { note: ' as sent ' },
  })
  assert.equal(answer.status, 201, answer.text)
  for (const txRef of ['spaced-1', ' spaced-1\t']) {
    const found = await lookUp(txRef)
    assert.deepEqual(
      [
        found['tx_ref'],
        found['amount'],
        found['email'],
        found['first_name'],
        found['last_name'],
        found['meta'],
      ],
      ['spaced-1', '10.50', 'ada@example.com', 'Ada', 'Lovelace', { note: ' as sent ' }],
    )
  }
  assert.equal((await create({ tx_ref: 'spaced-1 ' })).status, 409)
})

test('a whole number is a tx_ref, digit by digit', async () => {
  for (const written of ['1001', '0', '9007199254740993', '123456789012345678901234567890']) {
    const body = JSON.stringify(paymentRequest({ tx_ref: 0 })).replace('"tx_ref":0', `"tx_ref":${written}`)
    const answer = await create({}, body)
    assert.equal(answer.status, 201, answer.text)
    assert.equal((await lookUp(written))['tx_ref'], written)
  }
  for (const written of ['1.5', '1e3', '1E400', '-0.0', `1${'0'.repeat(255)}`]) {
    const body = JSON.stringify(paymentRequest({ tx_ref: 0 })).replace('"tx_ref":0', `"tx_ref":${written}`)
    assert.equal((await create({}, body)).status, 400, written)
  }
})

test('trailing zeros beyond a currency’s decimals are fine', async () => {
  for (const [amount, currency, minor] of [
    ['10.0000', 'GBP', 1000],
    ['100.00', 'JPY', 100],
  ] as const) {
    const request = paymentRequest({ amount, currency })
    assert.equal((await create({}, JSON.stringify(request))).status, 201)
    assert.equal((await lookUp(request['tx_ref']))['amount_minor'], minor)
  }
})

test('a compressed body is 415 with an explanation', async () => {
  for (const [encoding, status] of [
    ['gzip', 415],
    ['br', 415],
    ['x-unknown', 415],
    ['identity', 201],
    ['', 201],
  ] as const) {
    const text = JSON.stringify(paymentRequest())
    const answer = await fetch(`${house.url}/api/payment`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${house.secretKey}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body: encoding === 'gzip' ? gzipSync(text) : text,
    })
    assert.equal(answer.status, status, encoding)
    if (status === 201) continue
    const { message } = (await answer.json()) as { message: string }
    assert.equal(message, 'The request body must not be compressed: send it without Content-Encoding')
    assert.equal(answer.headers.get('accept-encoding'), 'identity')
  }
})

test('an unknown path, a wrong method and a missing key are reported before the body is read', async () => {
  const bodies: [string, string][] = [
    ['application/json', '{'],
    ['text/plain', 'x'],
    ['application/json', `"${'x'.repeat(70_000)}"`],
  ]
  const rows: [string, string, number, string][] = [
    ['POST', '/api/payments', 404, 'not_found'],
    ['PUT', '/api/payment', 405, 'method_not_allowed'],
    ['POST', '/api/transactions', 405, 'method_not_allowed'],
    ['POST', '/api/payment', 401, 'unauthorized'],
    ['POST', '/api/notifications/test', 401, 'unauthorized'],
    ['POST', '/api/v1/projects', 401, 'unauthorized'],
    ['PATCH', '/api/v1/projects/x', 401, 'unauthorized'],
  ]
  for (const [method, path, status, code] of rows) {
    for (const [type, body] of bodies) {
      const answer = await call(house.url + path, { method, body, headers: { 'content-type': type } })
      assert.deepEqual([answer.status, answer.json.code], [status, code], `${method} ${path} ${type}`)
    }
  }
})

test('extra slashes in known paths are accepted: reads are redirected, writes are served', async () => {
  for (const path of ['//api/payment', '/api/payment/', '//api//payment//', '/api/payment/?a=b']) {
    const answer = await post(house.url + path, paymentRequest(), house.secretKey)
    assert.equal(answer.status, 201, path)
  }
  await create({ tx_ref: 'slashed' })
  const rows: [string, string][] = [
    ['/api/transactions/?limit=10&email=a//b@c', '/api/transactions?limit=10&email=a//b@c'],
    ['//api/transactions', '/api/transactions'],
    ['/api/transaction/slashed/', '/api/transaction/slashed'],
    ['//api//transaction//slashed', '/api/transaction/slashed'],
    ['/docs/', '/docs'],
    [`/payment/${'1'.repeat(32)}/`, `/payment/${'1'.repeat(32)}`],
  ]
  for (const [path, target] of rows) {
    const answer = await call(house.url + path, { key: house.secretKey })
    assert.deepEqual([answer.status, answer.headers.get('location')], [308, target], path)
    assert.equal(answer.json.message, `Use ${target}`, 'for clients that follow nothing')
  }
  const projects = await call(`${house.url}/api/v1/projects/?page=2`, { key: house.apiKey })
  assert.equal(projects.headers.get('location'), 'http://127.0.0.1:3000/api/v1/projects?page=2')
  for (const path of ['//evil.example.com/', '//evil.example.com//api/payment', '/api//nothing/']) {
    assert.equal((await call(house.url + path)).status, 404, path)
  }
  const cancelled = await call(`${house.url}/api/transaction/slashed/cancel/`, {
    method: 'POST',
    key: house.secretKey,
  })
  assert.equal(cancelled.status, 200)
})
