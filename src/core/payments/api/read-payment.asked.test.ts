import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cornerShop } from '../../../../test/support/corner-shop.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readPayment, type PaymentRequest, type ReadPayee } from './read-payment.ts'

const least = {
  tx_ref: 'a',
  amount: '10.00',
  currency: 'GBP',
  email: 'ada@example.com',
  first_name: 'Ada',
}

/** What is read, or the first rule that is broken. */
function read(changes: Record<string, unknown>, payee: Partial<ReadPayee> = {}): PaymentRequest | string {
  const text = JSON.stringify({ ...least, ...changes })
  const shop: ReadPayee = { merchant: cornerShop(), mode: 'test', bounds: undefined, ...payee }
  try {
    return readPayment(JSON.parse(text), shop, text)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function part(name: keyof PaymentRequest, payment: PaymentRequest | string): unknown {
  return typeof payment === 'string' ? payment : payment[name]
}

test('expires_in is in seconds, within the shop’s limits', () => {
  const rule = 'expires_in must be a whole number of seconds, from 1800 (30 minutes) to 2592000 (30 days)'
  const rows: [unknown, number | string | null][] = [
    [1_800, 1_800],
    ['3600', 3_600],
    [2_592_000, 2_592_000],
    [undefined, null],
    [null, null],
    ['', null],
    [1_799, rule],
    [2_592_001, rule],
    [1_800.5, rule],
    ['1800s', rule],
    ['1e4', rule],
    [-3_600, rule],
    [true, rule],
  ]
  for (const [expires_in, expected] of rows)
    assert.equal(part('expiresInSeconds', read({ expires_in })), expected, String(expires_in))
})

test('line breaks in a description become spaces, and count as such', () => {
  const described = (description: string): unknown =>
    part('description', read({ customization: { description } }))
  assert.equal(described('Two chairs\r\nOne table'), 'Two chairs One table')
  assert.equal(described('Two chairs \n\n  One table\r'), 'Two chairs One table')
  assert.equal(described('Two\u2028chairs'), 'Two chairs')
  assert.equal(described('tab\there'), 'customization.description must not contain control characters')
  assert.equal(described(`${'a\r\n'.repeat(127)}a`), `${'a '.repeat(127)}a`)
})

test('a misspelt required field is pointed out', () => {
  const { tx_ref: _, email: __, ...others } = least
  const asked = (body: object): string => {
    const text = JSON.stringify(body)
    try {
      readPayment(body, { merchant: cornerShop(), mode: 'test', bounds: undefined, needsEmail: true }, text)
      return ''
    } catch (error) {
      return (error as Refusal).message
    }
  }
  const rest = { ...others, email: least.email }
  assert.equal(asked({ ...rest, txRef: 'a' }), 'tx_ref is required: you sent "txRef", did you mean tx_ref?')
  assert.equal(asked({ ...rest, order: 'a' }), 'tx_ref is required')
  assert.equal(
    asked({ ...others, tx_ref: 'a', e_mail: 'x' }),
    'email is required: you sent "e_mail", did you mean email?',
  )
})

test('test mode accepts every currency, live mode those of the networks that are enabled', () => {
  const merchant = cornerShop({ currenciesOff: new Map([['EUR', 20n]]) })
  const networkTakes = (code: string): boolean => code === 'EUR' || code === 'USD'
  const currency = (code: string, payee: Partial<ReadPayee>): unknown =>
    part('currency', read({ currency: code }, { merchant, ...payee }))
  assert.equal(currency('etb', { mode: 'test' }), 'ETB')
  assert.equal(currency('EUR', { mode: 'test' }), 'EUR')
  assert.equal(currency('USD', { mode: 'live', networkTakes }), 'USD')
  assert.equal(
    currency('EUR', { mode: 'live', networkTakes }),
    'Invalid currency, EUR is not supported: switch it on in the payment settings',
  )
  assert.equal(
    currency('GBP', { mode: 'live', networkTakes }),
    "Invalid currency, GBP is not supported: your networks don't take it, use one of USD",
  )
  assert.equal(currency('GBP', { mode: 'live' }), 'GBP', 'before a network is connected')
})
