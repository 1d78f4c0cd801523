import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { findRequest } from '../../src/modules/request-log/list-requests.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

// Unknown fields that resemble a known one: ignored, and named in the answer and in the request log.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const did = (name: string, meant: string): string => `${name} was ignored: did you mean ${meant}?`
const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
const warningsIn = ({ json, status, text }: Answer): unknown => {
  assert.ok(status < 400, text)
  return (json as { warnings?: unknown }).warnings
}

async function logged(answer: Answer): Promise<string[] | undefined> {
  await house.app.flush()
  const scope = { merchantId: house.merchantId, mode: 'test' } as const
  const line = await findRequest(house.db, scope, answer.headers.get('x-request-id') ?? '')
  return line?.warnings?.split('\n')
}

test('a payment is created without the misspelt fields, and the answer and the log name them', async () => {
  const body = paymentRequest({
    returnUrl: 'https://shop.example.com',
    metadata: { cart: 7 },
    customization: { titel: 'Order' },
    items: [{ name: 'Chair', unit_amount: '1000.00', quantitty: 1 }],
    amount: '1000.00',
    phone: '123',
  })
  const expected = [
    did('returnUrl', 'return_url'),
    did('metadata', 'meta'),
    did('customization.titel', 'customization.title'),
    did('items[0].quantitty', 'items[0].quantity'),
  ]
  const headers = { 'idempotency-key': 'warned' }
  const answer = await post(`${house.url}/api/payment`, body, house.secretKey, headers)
  assert.deepEqual(warningsIn(answer), expected)
  assert.deepEqual(await logged(answer), expected)
  const again = await post(`${house.url}/api/payment`, body, house.secretKey, headers)
  assert.equal(again.text, answer.text)
})

test('a request without such fields has no warnings', async () => {
  const answer = await post(`${house.url}/api/payment`, paymentRequest({ phone: '1' }), house.secretKey)
  assert.deepEqual(Object.keys(answer.json), ['status', 'message', 'data'])
  assert.equal(await logged(answer), undefined)
})

test('forms of programs and web forms have warnings, too', async () => {
  const fields = {
    ...(paymentRequest() as Record<string, string>),
    title: 'Order',
    'meta[cart]': '7',
    'metadata[a]': '1',
    'metadata[b]': '2',
  }
  const { customization: _, meta: __, ...flat } = fields as Record<string, string>
  const expected = [did('metadata', 'meta')]
  const form = (more: object) => new URLSearchParams({ ...flat, ...more }).toString()
  const answer = await post(`${house.url}/api/payment`, form({ tx_ref: 'w-1' }), house.secretKey, asForm)
  assert.deepEqual(warningsIn(answer), expected)
  const bounds = { hosts: ['shop.example.com'] }
  const { key } = await createKey(house.db, house.merchantId, { kind: 'form', name: 'Form', bounds })
  const urls = { callback_url: '', return_url: '' }
  const web = form({ ...urls, tx_ref: 'w-2', secret_key: key })
  const sent = await post(`${house.url}/ext_transfer`, web, undefined, asForm)
  assert.equal(sent.status, 303, sent.text)
  assert.deepEqual(await logged(sent), expected)
})

test('other calls that ignore unknown fields warn about them', async () => {
  const { url, secretKey } = house
  const address = 'https://shop.example.com/hook'
  const made = await post(`${url}/api/endpoints`, { url: address, event: ['payment.success'] }, secretKey)
  assert.deepEqual(warningsIn(made), [did('event', 'events')])
  const { id } = made.json.data as { id: string }
  const one = `${url}/api/endpoints/${id}`
  const changed = await call(one, {
    method: 'PATCH',
    key: secretKey,
    headers: { 'content-type': 'application/json' },
    body: '{"Description":"x"}',
  })
  assert.deepEqual(warningsIn(changed), [did('Description', 'description')])
  const rolled = await post(`${one}/roll-secret`, { overlapHours: 1 }, secretKey)
  assert.deepEqual(warningsIn(rolled), [did('overlapHours', 'overlap_hours')])
  const project = await post(`${url}/api/v1/projects`, { project: 'Shop', Project: 'x' }, house.apiKey)
  assert.deepEqual(warningsIn(project), [did('Project', 'project')])
})

test('a refusal names its rules and has no warnings', async () => {
  const body = paymentRequest({ returnUrl: 'https://shop.example.com' })
  await post(`${house.url}/api/payment`, body, house.secretKey)
  const taken = await post(`${house.url}/api/payment`, body, house.secretKey)
  assert.deepEqual([taken.json.code, 'warnings' in taken.json], ['tx_ref_taken', false])
})
