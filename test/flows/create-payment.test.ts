import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeMerchant, createMerchant, enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

let house: House

before(async () => {
  house = await openHouse()
  await enableCurrency(house.db, house.merchantId, 'JPY')
  await enableCurrency(house.db, house.merchantId, 'KWD')
})
after(() => house.close())

const long = (length: number): string => 'x'.repeat(length)
const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) })

test('a payment is created with 201 and a checkout URL of 32 digits that starts with the merchant', async () => {
  const answer = await post(`${house.url}/api/payment`, paymentRequest(), house.secretKey)
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(answer.headers.get('x-request-id') ?? '', /^req_/)
  const { checkout_url: url } = answer.json.data as { checkout_url: string }
  assert.deepEqual(answer.json, {
    status: 'success',
    message: 'Payment link created',
    data: { checkout_url: url },
  })
  assert.match(url, new RegExp(`^http://127\\.0\\.0\\.1:3000/payment/${house.merchantId}[0-9]{24}$`))
})

test('values within each rule are accepted', async () => {
  const rows: Record<string, unknown>[] = [
    { tx_ref: 'a' },
    { tx_ref: long(255) },
    { tx_ref: '€'.repeat(254) + '🌍' },
    { tx_ref: 'a b/c?d#e%f&g' },
    { tx_ref: '...' },
    { amount: '1' },
    { amount: 1000.5 },
    { amount: 0.01 },
    { amount: '0.01' },
    { amount: '999999999.99' },
    { amount: '500', currency: 'JPY' },
    { amount: '1.234', currency: 'KWD' },
    { currency: 'gbp' },
    { email: `${long(64)}@example.com` },
    { email: 'jürgen@exämple.de' },
    { first_name: 'A' },
    { last_name: '李'.repeat(100) },
    { callback_url: 'http://localhost:4000/ipn?a=1' },
    { callback_url: '', return_url: null },
    { return_url: `https://shop.example.com/${long(1975)}` },
    { customization: {} },
    { customization: { title: long(100), description: long(255), logo: 'https://shop.example.com/l.png' } },
    { customization: { title: 'Order 4242424242424241' } },
    { meta: {} },
    { meta: nested(5) },
    { meta: { big: long(8 * 1024 - 10) } },
    { unknown_field: { is: 'ignored' } },
  ]
  for (const changes of rows) {
    const answer = await post(`${house.url}/api/payment`, paymentRequest(changes), house.secretKey)
    assert.equal(answer.status, 201, `${JSON.stringify(changes).slice(0, 100)}: ${answer.text}`)
  }
})

const isString = (field: string): [object, string, string] => [
  { [field]: 5 },
  field,
  `${field} must be a string`,
]
const plain = 'amount must be a plain decimal number such as 1000.50'

const broken: [changes: object, field: string, message: string][] = [
  [{ tx_ref: undefined }, 'tx_ref', 'tx_ref is required'],
  [{ tx_ref: null }, 'tx_ref', 'tx_ref is required'],
  [{ tx_ref: '' }, 'tx_ref', 'tx_ref is required'],
  [{ tx_ref: true }, 'tx_ref', 'tx_ref must be a string'],
  [{ tx_ref: 5.5 }, 'tx_ref', 'tx_ref must be a string or a whole number'],
  [{ tx_ref: [] }, 'tx_ref', 'tx_ref is required'],
  [{ tx_ref: '  ' }, 'tx_ref', 'tx_ref is required'],
  [{ tx_ref: long(256) }, 'tx_ref', 'tx_ref must be at most 255 characters'],
  [{ tx_ref: '.' }, 'tx_ref', 'tx_ref must not be . or ..'],
  [{ tx_ref: '..' }, 'tx_ref', 'tx_ref must not be . or ..'],
  [{ tx_ref: 'a\nb' }, 'tx_ref', 'tx_ref must not contain control characters'],
  [{ tx_ref: 'a\u0000b' }, 'tx_ref', 'tx_ref must not contain control characters'],
  [{ tx_ref: 'a\ud800' }, 'tx_ref', 'tx_ref must be valid Unicode text'],
  [{ amount: undefined }, 'amount', 'amount is required'],
  [{ amount: true }, 'amount', 'amount must be a string or a number'],
  [{ amount: '1,000' }, 'amount', plain],
  [{ amount: '-1' }, 'amount', plain],
  [{ amount: '1e3' }, 'amount', plain],
  [{ amount: '١٢' }, 'amount', plain],
  [{ amount: '0.00' }, 'amount', 'amount must be more than zero'],
  [{ amount: '1.005' }, 'amount', 'amount must have at most 2 decimals for GBP'],
  [{ amount: '1.5', currency: 'JPY' }, 'amount', 'amount must have no decimals for JPY'],
  [{ amount: '1000000000' }, 'amount', 'amount must be at most 999,999,999.99'],
  [{ currency: undefined }, 'currency', 'currency is required'],
  [{ currency: 'pounds' }, 'currency', 'currency must be three letters, such as GBP'],
  [
    { currency: 'xxx' },
    'currency',
    'Invalid currency, XXX is not supported: use an ISO 4217 code such as GBP',
  ],
  isString('currency'),
  [{ email: 'ada' }, 'email', 'email must be one valid e-mail address'],
  [{ email: 'ada@example.com, bob@example.com' }, 'email', 'email must be one valid e-mail address'],
  [{ email: 'ada@example.com\nbcc: x@y.z' }, 'email', 'email must not contain control characters'],
  [{ email: `a@${long(249)}.com` }, 'email', 'email must be at most 254 characters'],
  [{ first_name: undefined }, 'first_name', 'first_name is required'],
  [{ first_name: '   ' }, 'first_name', 'first_name is required'],
  [{ first_name: long(101) }, 'first_name', 'first_name must be at most 100 characters'],
  [{ last_name: long(101) }, 'last_name', 'last_name must be at most 100 characters'],
  isString('last_name'),
  isString('callback_url'),
  [{ callback_url: '/ipn' }, 'callback_url', 'callback_url must be an absolute http or https URL'],
  [
    { callback_url: `https://${'abcdefgh.'.repeat(40)}example.com/` },
    'callback_url',
    'callback_url must have a host of at most 253 characters',
  ],
  [
    { callback_url: 'ftp://x.example.com' },
    'callback_url',
    'callback_url must be an absolute http or https URL',
  ],
  [{ callback_url: 'https:shop' }, 'callback_url', 'callback_url must be an absolute http or https URL'],
  [
    { callback_url: 'https://a:b@x.example.com' },
    'callback_url',
    'callback_url must not contain a user name or password',
  ],
  [{ return_url: 'javascript:alert(1)' }, 'return_url', 'return_url must be an absolute http or https URL'],
  [
    { return_url: `https://x.example.com/${long(2000)}` },
    'return_url',
    'return_url must be at most 2,000 characters',
  ],
  [{ customization: 'x' }, 'customization', 'customization must be an object'],
  [
    { customization: { title: long(101) } },
    'customization.title',
    'customization.title must be at most 100 characters',
  ],
  [
    { customization: { logo: 'data:image/png,x' } },
    'customization.logo',
    'customization.logo must be an absolute http or https URL',
  ],
  [{ meta: 'x' }, 'meta', 'meta must be an object'],
  [{ meta: nested(6) }, 'meta', 'meta must be at most 5 levels deep'],
  [{ meta: { big: long(8 * 1024) } }, 'meta', 'meta must be at most 8 KiB'],
  [{ project: 'no such project' }, 'project', 'project must be one of your projects'],
]

test('values that break a rule are refused with 400 and a body that names it', async () => {
  for (const [changes, field, message] of broken) {
    const answer = await post(`${house.url}/api/payment`, paymentRequest({ ...changes }), house.secretKey)
    assert.equal(answer.status, 400, `${JSON.stringify(changes).slice(0, 100)}: ${answer.text}`)
    const expected = {
      status: 'failed',
      message,
      data: null,
      code: 'validation_failed',
      errors: { [field]: [message] },
    }
    assert.deepEqual(answer.json, expected)
  }
})

test('every broken rule is listed, in the documentation’s order, and the message names the first', async () => {
  const answer = await post(
    `${house.url}/api/payment`,
    { amount: '-1', currency: 'GBP', last_name: 7, meta: 1 },
    house.secretKey,
  )
  assert.deepEqual(Object.keys(answer.json.errors ?? {}), [
    'tx_ref',
    'amount',
    'first_name',
    'last_name',
    'meta',
  ])
  assert.equal(answer.json.message, 'tx_ref is required')
})

test('a body that is not an object is refused', async () => {
  for (const body of ['[]', '"text"', '5', 'null']) {
    const answer = await post(`${house.url}/api/payment`, body, house.secretKey)
    assert.equal(answer.status, 400, body)
    assert.equal(answer.json.code, 'malformed_body')
  }
})

test('a live key requires https URLs and live payments enabled', async () => {
  const url = `${house.url}/api/payment`
  const plainUrl = await post(
    url,
    paymentRequest({ callback_url: 'http://shop.example.com/ipn' }),
    house.liveKey,
  )
  assert.equal(plainUrl.json.message, 'callback_url must use https in live mode')
  assert.equal(
    (await post(url, paymentRequest({ return_url: 'https://shop.example.com' }), house.liveKey)).status,
    201,
  )

  const other = await createMerchant(house.db, { name: 'Not live yet' })
  const { key } = await createKey(house.db, other, { kind: 'secret', mode: 'live', name: 'live' })
  const refused = await post(url, paymentRequest(), key)
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.json, {
    status: 'failed',
    message: 'Live payments are not switched on for this account',
    data: null,
    code: 'live_not_enabled',
  })
  await changeMerchant(house.db, other, { liveEnabled: true })
})

test('a tx_ref can be used once per merchant and mode, and the second time is 409', async () => {
  const request = paymentRequest()
  const url = `${house.url}/api/payment`
  const first = await post(url, request, house.secretKey)
  assert.equal(first.status, 201)
  const again = await post(url, request, house.secretKey)
  assert.equal(again.status, 409)
  const expected = {
    status: 'failed',
    message: 'tx_ref has been used before',
    data: null,
    code: 'tx_ref_taken',
    existing: { status: 'pending', checkout_url: first.json.data['checkout_url'] },
  }
  assert.deepEqual(again.json, expected)
  assert.equal((await post(url, request, house.liveKey)).status, 201, 'the other mode has its own references')
})

test('without a secret key nothing is created', async () => {
  const url = `${house.url}/api/payment`
  const rows: [string | undefined, string][] = [
    [undefined, 'Authorization is required'],
    [house.apiKey, 'Invalid secret key: this is an API key (ak_…), use a secret key (sk_…)'],
    ['sk_test_nonsense', 'Invalid secret key'],
    [house.secretKey.slice(0, -1), 'Invalid secret key'],
  ]
  for (const [key, message] of rows) {
    const answer = await post(url, paymentRequest(), key)
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    assert.deepEqual(answer.json, { status: 'failed', message, data: null, code: 'unauthorized' })
  }
})

test('a key without Bearer has a different error from no key', async () => {
  for (const authorization of [house.secretKey, `Basic ${house.secretKey}`]) {
    const answer = await post(`${house.url}/api/payment`, paymentRequest(), undefined, { authorization })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    assert.equal(answer.json.message, 'Authorization must be Bearer followed by your key')
  }
})
