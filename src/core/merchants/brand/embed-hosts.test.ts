import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedOriginsOf } from './embed-hosts.ts'

const longest = `${'a'.repeat(61)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`

test('a host may embed the checkout over https, and the developer’s own machine also over http', () => {
  assert.deepEqual(embedOriginsOf('Shop.Example'), ['https://shop.example'])
  assert.deepEqual(embedOriginsOf('shop-1.example:8443'), ['https://shop-1.example:8443'])
  assert.deepEqual(embedOriginsOf('localhost:3000'), ['https://localhost:3000', 'http://localhost:3000'])
  assert.deepEqual(embedOriginsOf('127.0.0.1'), ['https://127.0.0.1', 'http://127.0.0.1'])
  for (const host of ['localhost.example', '127.0.0.1.example'])
    assert.deepEqual(embedOriginsOf(host), [`https://${host}`])
  assert.equal(longest.length, 253)
  assert.deepEqual(embedOriginsOf(longest), [`https://${longest}`])
})

test('a malformed host never gets into a content policy', () => {
  for (const host of [
    '',
    `a${longest}`,
    'https://shop.example',
    'shop.example/path',
    '*.shop.example',
    "shop.example; script-src 'unsafe-inline'",
    'shop.example other.example',
    '-shop.example',
    'shop..example',
    'shop.example:',
    'shop.example:65536',
    '256.1.1.1',
  ])
    assert.equal(embedOriginsOf(host), undefined, host)
})
