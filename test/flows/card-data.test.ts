import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

// Card numbers and security codes where somebody might put them: none is stored, and nobody's order number is taken for one.

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

const number = 'must not contain a card number: Florin never stores card numbers'
const code = "must not contain a card's security code: storing it is forbidden"

async function create(changes: object): Promise<ReturnType<typeof post>> {
  return post(`${house.url}/api/payment`, paymentRequest({ ...changes }), house.secretKey)
}

const inTexts: [changes: object, field: string][] = [
  [{ first_name: '4242 4242 4242 4242' }, 'first_name'],
  [{ first_name: 'Ada ٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢' }, 'first_name'],
  [{ last_name: 'Lovelace ４２４２/４２４２/４２４２/４２４２' }, 'last_name'],
  [{ email: '4242424242424242@example.com' }, 'email'],
  [{ email: 'ada+4242-4242-4242-4242@example.com' }, 'email'],
  ...[
    '4242 4242 4242 4242 12/27',
    '4242\u20094242\u20094242\u20094242',
    'Order 7 4242  4242  4242  4242',
    'Card 4242 4242 4242 4242',
  ].map((title): [object, string] => [{ customization: { title } }, 'customization.title']),
  ...['4242424242424242 123', '5555-5555-5555-4444', '४२४२४२४२४२४२४२४२'].map(
    (description): [object, string] => [{ customization: { description } }, 'customization.description'],
  ),
]

const inMeta: object[] = [
  { cardNumber: '4242424242424242' },
  { card: { digits: 4242424242424242 } },
  { PAN: '3782 822463 10005' },
  { card: '4242 4242 4242 4242 12/27' },
  { card: { '4242424242424242': 1 } },
  { 'card 4242 4242 4242 4242': 1 },
  { cc_number: ['4242424242424242'] },
  { cc_number: ['٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢'] },
]

test('a card number in free text, or under a card key in meta, is refused with the reason', async () => {
  const rows = [...inTexts, ...inMeta.map((meta): [object, string] => [{ meta }, 'meta'])]
  for (const [changes, field] of rows) {
    const answer = await create(changes)
    assert.equal(answer.status, 400, `${JSON.stringify(changes)}: ${answer.text}`)
    assert.deepEqual(answer.json.errors, { [field]: [`${field} ${number}`] })
  }
})

test('three or four digits under a security-code key are refused', async () => {
  for (const meta of [
    { cvc: '123' },
    { card: { CVV2: 1234 } },
    { payer: [{ security_code: ' 7 3 7 ' }] },
    { cvc: { value: '٧٣٧' } },
  ]) {
    const answer = await create({ meta })
    assert.deepEqual(answer.json.errors, { meta: [`meta ${code}`] }, JSON.stringify(meta))
  }
})

test('a project’s name can’t hold a card number, not even after renaming', async () => {
  const url = `${house.url}/api/v1/projects`
  const refused = await post(url, { project: 'Till 4242 4242 4242 4242' }, house.apiKey)
  assert.equal(refused.json.message, `project ${number}`)
  const made = await post(url, { project: 'Till 4242' }, house.apiKey)
  assert.equal(made.status, 201)
  const renamed = await call(`${url}/Till%204242`, {
    method: 'PATCH',
    key: house.apiKey,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project: '4242-4242-4242-4242' }),
  })
  assert.equal(renamed.json.message, `project ${number}`)
})

test('an order number that looks like a card is allowed in fields for programs', async () => {
  for (const changes of [
    { tx_ref: '4242 4242 4242 4242' },
    { tx_ref: 5555555555554444 },
    { meta: { order: '4242424242424242', card_colour: 'blue' } },
    { meta: { table: '123', code: 1234, cvc_check: 'pass', cvc: true, csc: '12345' } },
    { return_url: 'https://shop.example.com/4242424242424242' },
    { first_name: 'Ada 4242', last_name: 'of Room 12, 15.11.2026', email: '4242424242@example.com' },
  ]) {
    const answer = await create(changes)
    assert.equal(answer.status, 201, `${JSON.stringify(changes)}: ${answer.text}`)
  }
})

test('a card number next to a date or security code is refused in fields for programs too', async () => {
  const card = '4242424242424242'
  for (const [field, value] of [
    ['tx_ref', `${card} 12/30`],
    ['callback_url', `https://shop.example/ipn?n=${card}&e=12%2F30`],
    ['return_url', `https://shop.example/?card=${card}`],
    ['return_url', 'https://shop.example/?cvc=123'],
    ['meta', { note: [`${card} cvc 123`] }],
  ] as const) {
    const answer = await post(`${house.url}/api/payment`, paymentRequest({ [field]: value }), house.secretKey)
    assert.equal(answer.status, 400, field)
    assert.match(answer.json.message, new RegExp(`^${field} must not contain`))
  }
})
