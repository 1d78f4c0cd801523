import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEndpoint, readEndpointChanges } from './read-endpoint.ts'

const known = ['payment.success', 'payment.failed', 'refund.failed']
const url = 'https://shop.example/hooks'

test('an endpoint gets all events unless some are chosen', () => {
  assert.deepEqual(readEndpoint({ url }, 'live', known), { url, description: '', events: null })
  assert.equal(readEndpoint({ url, events: [] }, 'live', known).events, null)
  assert.equal(readEndpoint({ url, events: ['payment.failed', '*'] }, 'live', known).events, null)
  const events = ['refund.failed', 'payment.success', 'payment.success']
  assert.deepEqual(readEndpoint({ url, events }, 'live', known).events, ['payment.success', 'refund.failed'])
})

test('two spellings of one URL are the same URL', () => {
  assert.equal(readEndpoint({ url: 'HTTPS://Shop.example:443/hooks#part' }, 'live', known).url, url)
})

test('URLs that can’t be called and unknown events are refused by name', () => {
  const fieldsOf = (body: object, mode: 'test' | 'live' = 'live'): string[] => {
    try {
      readEndpoint(body, mode, known)
      return []
    } catch (error) {
      return Object.keys((error as { errors: object }).errors)
    }
  }
  assert.deepEqual(fieldsOf({}), ['url'])
  assert.deepEqual(fieldsOf({ url: 'http://shop.example' }), ['url'])
  assert.deepEqual(fieldsOf({ url: 'http://shop.example' }, 'test'), [])
  assert.deepEqual(fieldsOf({ url: 'https://a:b@shop.example' }), ['url'])
  assert.deepEqual(fieldsOf({ url: `https://shop.example/${'ü'.repeat(1_500)}` }), ['url'])
  assert.deepEqual(fieldsOf({ url, events: ['payment.odd'], description: 'a\nb' }), ['description', 'events'])
})

test('a change touches only the fields sent', () => {
  assert.deepEqual(readEndpointChanges({}, 'live', known), {})
  assert.deepEqual(readEndpointChanges({ description: '', events: ['*'] }, 'live', known), {
    description: '',
    events: null,
  })
})
