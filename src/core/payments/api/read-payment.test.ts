import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cornerShop } from '../../../../test/support/corner-shop.ts'
import { Refusal, type FieldErrors } from '../../../platform/errors/refusals.ts'
import type { FormBounds } from '../../merchants/form-bounds.ts'
import { readPayment, type PaymentRequest } from './read-payment.ts'

const currencies = new Map(['GBP', 'JPY', 'KWD', 'CLF'].map((code) => [code, 0n]))
const merchant = cornerShop({ feeBasisPoints: 0, currencies })
const required = '"tx_ref":"a","email":"ada@example.com","first_name":"Ada","last_name":"Lovelace"'

/** Minor units, or the rule that failed, of a body with these members. */
function amountOf(members: string, currency = 'GBP'): bigint | string {
  const text = `{${required},"currency":"${currency}",${members}}`
  try {
    return readPayment(JSON.parse(text), { merchant, mode: 'test', bounds: undefined }, text).amountMinor
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

test('a numeric amount is read exactly as written', () => {
  const plain = 'amount must be a plain decimal number such as 1000.50'
  const decimals = 'amount must have at most 2 decimals for GBP'
  const rows: [string, bigint | string][] = [
    ['10.5', 1050n],
    ['1234.50', 123_450n],
    ['1000', 100_000n],
    ['0.29', 29n],
    ['999999999.99', 99_999_999_999n],
    ['19.99999999999999999', decimals],
    ['999999999.98999999999', decimals],
    ['1000.000', 100_000n],
    ['1000.001', decimals],
    ['0.00000000000000000000000000001', decimals],
    ['1e3', plain],
    ['1E+2', plain],
    ['1e-2', plain],
    ['1.5e2', plain],
    ['1e400', plain],
    ['-1', plain],
    ['-0', plain],
    ['0', 'amount must be more than zero'],
    ['9007199254740993', 'amount must be at most 999,999,999.99'],
  ]
  for (const [written, expected] of rows) {
    assert.equal(amountOf(`"amount":${written}`), expected, written)
    assert.equal(amountOf(`"amount" :\n ${written} `), expected, written)
    assert.equal(amountOf(`"amount":"${written}"`), expected, `"${written}"`)
  }
})

test('a number is judged like the same text in quotes', () => {
  const digits = fc.stringMatching(/^[0-9]{1,20}$/)
  const number = fc
    .tuple(
      fc.constantFrom('', '', '-'),
      digits,
      fc.option(digits),
      fc.constantFrom('', '', 'e1', 'E+2', 'e-3'),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const written = whole.replace(/^0+(?=[0-9])/, '')
      return `${sign}${written}${fraction === null ? '' : `.${fraction}`}${exponent}`
    })
  fc.assert(
    fc.property(number, fc.constantFrom(...currencies.keys()), (written, currency) => {
      const asText = amountOf(`"amount":"${written}"`, currency)
      assert.equal(amountOf(`"amount":${written}`, currency), asText)
    }),
    { numRuns: 1000 },
  )
})

test('a repeated amount is read as JSON.parse reads it', () => {
  const rows: [string, bigint][] = [
    ['"amount":1e3,"amount":5.50', 550n],
    ['"amount":"1e3","\\u0061mount":5.50', 550n],
    ['"amount":5.50,"meta":{"amount":1e3}', 550n],
    ['"meta":{"amount":1e3,"text":"\\"amount\\":7"},"amount":5.50,"x":[{"amount":9}]', 550n],
    ['"amount":1e3,"amount":"5.50"', 550n],
  ]
  for (const [members, minor] of rows) assert.equal(amountOf(members), minor, members)
  assert.equal(
    amountOf('"amount":5.50,"amount":1e3,"meta":{"amount":6}'),
    'amount must be a plain decimal number such as 1000.50',
  )
})

const least = {
  tx_ref: 'a',
  amount: '10.00',
  currency: 'GBP',
  email: 'ada@example.com',
  first_name: 'Ada',
}

/** What is read of the least that a payment needs, with these changes; or every broken rule. */
function read(
  changes: Record<string, unknown>,
  { mode = 'test', bounds }: { mode?: 'test' | 'live'; bounds?: FormBounds } = {},
): PaymentRequest | FieldErrors {
  const text = JSON.stringify({ ...least, ...changes })
  try {
    return readPayment(JSON.parse(text), { merchant, mode, bounds }, text)
  } catch (error) {
    if (error instanceof Refusal && error.errors) return { ...error.errors }
    throw error
  }
}

const leastRead: PaymentRequest = {
  txRef: 'a',
  amountMinor: 1000n,
  currency: 'GBP',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: '',
  callbackUrl: null,
  returnUrl: null,
  title: null,
  description: null,
  logo: null,
  metaText: null,
  itemsText: null,
  invoiceNumber: null,
  project: null,
  expiresInSeconds: null,
  saving: null,
}

test('a payment needs four fields, and all optional ones are read', () => {
  assert.deepEqual(read({}), leastRead)
  assert.deepEqual(read({ email: undefined }), { ...leastRead, email: '' })
  const whole = {
    currency: 'gbp',
    last_name: 'Lovelace',
    callback_url: 'http://shop.example/ipn',
    return_url: 'http://shop.example/thanks',
    customization: { title: 'Chairs', description: 'Two of them', logo: 'http://shop.example/logo.png' },
    meta: { cart: 7 },
    items: [{ name: 'Chair', quantity: 2, unit_amount: 5 }],
    invoice_number: 'INV-7',
    project: 'Spring',
  }
  assert.deepEqual(read(whole), {
    ...leastRead,
    lastName: 'Lovelace',
    callbackUrl: 'http://shop.example/ipn',
    returnUrl: 'http://shop.example/thanks',
    title: 'Chairs',
    description: 'Two of them',
    logo: 'http://shop.example/logo.png',
    metaText: '{"cart":7}',
    itemsText: '[{"name":"Chair","quantity":2,"unit_minor":"500"}]',
    invoiceNumber: 'INV-7',
    project: 'Spring',
  })
})

test('every mistake in every field is reported at once, in the documentation’s order', () => {
  const nothing = { tx_ref: null, amount: null, currency: null, email: null, first_name: null }
  const missing = read(nothing)
  assert.deepEqual(missing, {
    tx_ref: ['tx_ref is required'],
    amount: ['amount is required'],
    currency: ['currency is required'],
    first_name: ['first_name is required'],
  })
  assert.deepEqual(Object.keys(missing), ['tx_ref', 'amount', 'currency', 'first_name'])
  const card = 'must not contain a card number: Florin never stores card numbers'
  const link = 'must be an absolute http or https URL'
  const typed = '4242 4242 4242 4242'
  const broken = {
    amount: true,
    email: `${typed.replaceAll(' ', '')}@example.com`,
    first_name: typed,
    last_name: typed,
    callback_url: '/ipn',
    return_url: 'ftp://shop.example',
    customization: { title: typed, description: 7, logo: 'logo.png' },
    meta: 7,
    items: 7,
    invoice_number: typed,
    project: 7,
  }
  assert.deepEqual(read(broken), {
    amount: ['amount must be a string or a number'],
    email: [`email ${card}`],
    first_name: [`first_name ${card}`],
    last_name: [`last_name ${card}`],
    callback_url: [`callback_url ${link}`],
    return_url: [`return_url ${link}`],
    'customization.title': [`customization.title ${card}`],
    'customization.description': ['customization.description must be a string'],
    'customization.logo': [`customization.logo ${link}`],
    meta: ['meta must be an object'],
    items: ['items must be a list'],
    invoice_number: [`invoice_number ${card}`],
    project: ['project must be a string'],
  })
})

test('a currency the merchant doesn’t accept is reported as the only mistake about it', () => {
  for (const [currency, rule] of [
    ['XXY', 'Invalid currency, XXY is not supported: use an ISO 4217 code such as GBP'],
    ['xxy', 'Invalid currency, XXY is not supported: use an ISO 4217 code such as GBP'],
    ['GB', 'currency must be three letters, such as GBP'],
    ['GBPX', 'currency must be three letters, such as GBP'],
    ['£', 'currency must be three letters, such as GBP'],
    [7, 'currency must be a string'],
  ] as const)
    // How many decimals 1.005 may have is nobody's to say without a currency.
    assert.deepEqual(read({ currency, amount: '1.005' }), { currency: [rule] }, String(currency))
})

test('an e-mail address must be able to receive a receipt', () => {
  const rule = { email: ['email must be one valid e-mail address'] }
  for (const odd of [
    'ada',
    'ada@localhost',
    'a@b.c, d@e.f',
    'a b@example.com',
    '@example.com',
    'a@example..com',
  ])
    assert.deepEqual(read({ email: odd }), rule, odd)
  const longest = `${'a'.repeat(64)}@${'b'.repeat(185)}.com`
  assert.deepEqual(read({ email: longest }), { ...leastRead, email: longest })
  assert.deepEqual(read({ email: `a${longest}` }), { email: ['email must be at most 254 characters'] })
})

test('customization is an object or nothing, and live mode requires https for every URL but the logo', () => {
  for (const odd of ['Chairs', 7, [1], true])
    assert.deepEqual(read({ customization: odd }), { customization: ['customization must be an object'] })
  for (const nothing of [null, '', {}, []]) assert.deepEqual(read({ customization: nothing }), leastRead)
  const plain = { callback_url: 'http://shop.example/ipn', return_url: 'http://shop.example/thanks' }
  assert.deepEqual(read(plain, { mode: 'live' }), {
    callback_url: ['callback_url must use https in live mode'],
    return_url: ['return_url must use https in live mode'],
  })
  const logo = 'http://shop.example/logo.png'
  assert.deepEqual(read({ customization: { logo } }, { mode: 'live' }), { ...leastRead, logo })
})

test('a form key accepts only what each of its bounds allows', () => {
  const free: FormBounds = { hosts: ['shop.example'] }
  const hosts = 'must use a host allowed for this form key'
  const rows: [Partial<FormBounds>, Record<string, unknown>, FieldErrors | undefined][] = [
    [{}, {}, undefined],
    [{}, { return_url: 'http://shop.example/x' }, undefined],
    [{}, { return_url: 'http://evil.example/x' }, { return_url: [`return_url ${hosts}`] }],
    [{}, { callback_url: 'http://any.example/x' }, undefined],
    [{ callbackHosts: ['ipn.example'] }, {}, undefined],
    [{ callbackHosts: ['ipn.example'] }, { callback_url: 'http://ipn.example/x' }, undefined],
    [
      { callbackHosts: ['ipn.example'] },
      { callback_url: 'http://shop.example/x' },
      { callback_url: [`callback_url ${hosts}`] },
    ],
    [{ txRefPrefix: 'web-' }, { tx_ref: 'web-1' }, undefined],
    [
      { txRefPrefix: 'web-' },
      { tx_ref: '1-web-' },
      { tx_ref: ['tx_ref must begin with web-, the prefix of this form key'] },
    ],
    [{ txRefPrefix: 'web-' }, { tx_ref: null }, { tx_ref: ['tx_ref is required'] }],
    [{ currencies: ['GBP', 'JPY'] }, {}, undefined],
    [{ currencies: ['JPY'] }, {}, { currency: ['Invalid currency, GBP is not supported by this form key'] }],
    [
      { currencies: ['JPY'] },
      { currency: 'EUR' },
      { currency: ['Invalid currency, EUR is not supported by this form key'] },
    ],
    [{ minMinor: 1000n, maxMinor: 1000n }, {}, undefined],
    [{ minMinor: 1001n }, {}, { amount: ['amount is below the minimum of this form key'] }],
    [{ maxMinor: 999n }, {}, { amount: ['amount is above the maximum of this form key'] }],
    [{ minMinor: 1n, maxMinor: 9n }, { amount: null }, { amount: ['amount is required'] }],
  ]
  for (const [bounds, changes, refused] of rows) {
    const found = read(changes, { bounds: { ...free, ...bounds } })
    const about = JSON.stringify([changes, refused])
    if (refused) assert.deepEqual(found, refused, about)
    else assert.ok('txRef' in found && typeof found.txRef === 'string', about)
  }
})
