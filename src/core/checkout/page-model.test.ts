import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePageModel } from '../../../test/support/page-model.ts'
import {
  addressOf,
  interruptedAddressOf,
  isFresh,
  looksAddressOf,
  readLooks,
  returnedAddressOf,
} from './page-model.ts'

test('without a script the page counts its refreshes up to four digits, until told to stop', () => {
  const read = ['off', '0', '7', '9999', '10000', '', '-1', '1e3', 'on', undefined, ['7']].map(readLooks)
  assert.deepEqual(read, ['off', 0, 7, 9_999, 0, 0, 0, 0, 0, 0, 0])
})

test('every URL of a payment keeps the chosen language and where the customer came from', () => {
  const addresses = (isChosen: boolean, returned: boolean): string[] => {
    const model = makePageModel({ code: 'de', page: { prefix: '/florin', isChosen, returned } })
    return [
      addressOf(model),
      addressOf(model, '/pay'),
      returnedAddressOf(model),
      interruptedAddressOf(model),
      looksAddressOf(model, 3, '/away'),
      looksAddressOf(model, 'off'),
    ].map((address) => address.replace('/florin/payment/1', ''))
  }
  const same = ['', '/pay', '?returned=1', '?interrupted=1']
  assert.deepEqual(addresses(false, false), [...same, '/away?looks=3', '?looks=off'])
  assert.deepEqual(addresses(false, true), [...same, '/away?returned=1&looks=3', '?returned=1&looks=off'])
  const german = ['?lang=de', '/pay?lang=de', '?lang=de&returned=1', '?lang=de&interrupted=1']
  assert.deepEqual(addresses(true, false), [...german, '/away?lang=de&looks=3', '?lang=de&looks=off'])
  assert.deepEqual(addresses(true, true), [
    ...german,
    '/away?lang=de&returned=1&looks=3',
    '?lang=de&returned=1&looks=off',
  ])
})

test('a payment counts as just ended for exactly ten minutes', () => {
  const tenMinutesMs = 10 * 60_000
  const endedMs = Date.parse('2026-11-15T14:05:00Z')
  const isFreshAfter = (ms: number): boolean =>
    isFresh(makePageModel({ page: { now: new Date(endedMs + ms) } }))
  assert.deepEqual([0, tenMinutesMs - 1, tenMinutesMs].map(isFreshAfter), [true, true, false])
})
