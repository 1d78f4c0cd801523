import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ipnEvents } from '../events.ts'
import { readTest } from './read-test.ts'

const callback_url = 'https://shop.example/ipn'

test('a sample notification is for a successful payment, unless another event is named', () => {
  assert.deepEqual(readTest({ callback_url }, 'live'), { target: callback_url, event: 'payment.success' })
  for (const event of ipnEvents) assert.equal(readTest({ callback_url, event }, 'test').event, event)
})

test('a URL that can’t be called and an unknown event are refused by name', () => {
  const fieldsOf = (body: object, mode: 'test' | 'live' = 'test'): string[] => {
    try {
      readTest(body, mode)
      return []
    } catch (error) {
      return Object.keys((error as { errors: object }).errors)
    }
  }
  assert.deepEqual(fieldsOf({ callback_url: 'http://shop.example/ipn' }), [])
  assert.deepEqual(fieldsOf({ callback_url: 'http://shop.example/ipn' }, 'live'), ['callback_url'])
  for (const odd of [undefined, '', 'odd', 'ftp://shop.example', 7]) {
    assert.deepEqual(fieldsOf({ callback_url: odd }), ['callback_url'], String(odd))
  }
  assert.deepEqual(fieldsOf({ callback_url, event: 'odd' }), ['event'])
  assert.deepEqual(fieldsOf({ event: 'odd' }), ['callback_url', 'event'])
})
