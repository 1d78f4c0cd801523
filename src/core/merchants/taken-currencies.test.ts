import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cornerShop } from '../../../test/support/corner-shop.ts'
import { currencyCodes } from '../../platform/money/currencies.ts'
import { currencyAdvice, fixedFeeOf, takenCurrencies, takesCurrency, type Payee } from './taken-currencies.ts'

const merchant = cornerShop({
  currencies: new Map([
    ['GBP', 20n],
    ['JPY', 0n],
  ]),
  currenciesOff: new Map([['EUR', 35n]]),
})
const live: Payee = { merchant, mode: 'live' }
const networkTakes = (code: string): boolean => ['GBP', 'EUR', 'USD'].includes(code)

test('test mode accepts every currency, even a disabled one', () => {
  assert.deepEqual(takenCurrencies({ merchant, mode: 'test' }), currencyCodes)
  assert.equal(takesCurrency({ merchant, mode: 'test' }, 'XXX'), false)
})

test('live mode accepts the networks’ currencies except disabled ones', () => {
  assert.deepEqual(takenCurrencies({ ...live, networkTakes }), ['GBP', 'USD'])
  assert.deepEqual(takenCurrencies(live), ['GBP', 'JPY'], 'without a network: what was switched on')
})

test('an unaccepted currency comes with what to do about it', () => {
  const connected = { ...live, networkTakes }
  assert.equal(currencyAdvice(connected, 'XXX'), 'use an ISO 4217 code such as GBP')
  assert.equal(currencyAdvice(connected, 'EUR'), 'switch it on in the payment settings')
  assert.equal(currencyAdvice(connected, 'JPY'), "your networks don't take it, use one of GBP, USD")
  assert.equal(
    currencyAdvice(live, 'USD'),
    'switch it on in the payment settings, or connect a network that takes it',
  )
  const many = { ...live, networkTakes: () => true }
  assert.match(currencyAdvice({ ...many }, 'EUR'), /^switch it on in the payment settings$/)
})

test('a currency’s fixed fee is the one set, or a fifth of its major unit', () => {
  const rows: [string, bigint][] = [
    ['GBP', 20n],
    ['EUR', 35n],
    ['USD', 20n],
    ['KWD', 200n],
    ['JPY', 0n],
    ['KRW', 0n],
  ]
  for (const [code, fee] of rows) assert.equal(fixedFeeOf(merchant, code), fee, code)
})
