import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTest } from './read-test.ts'

const events = ['payment.success', 'refund.failed'].map((name) => ({ name, sample: () => name }))
const callback_url = 'https://shop.example/ipn'

test('a sample notification is for a successful payment, unless another event is named', () => {
  assert.deepEqual(readTest({ callback_url }, 'live', events), { target: callback_url, event: events[0] })
  for (const event of events)
    assert.equal(readTest({ callback_url, event: event.name }, 'test', events).event, event)
})

test('a URL that can’t be called and an unknown event are refused by name', () => {
  const fieldsOf = (body: object, mode: 'test' | 'live' = 'test'): string[] => {
    try {
      readTest(body, mode, events)
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
