import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeIsTrusted } from './trusted-proxies.ts'

test('only listed proxies are trusted, alone or within a range', () => {
  const isTrusted = makeIsTrusted(['192.0.2.7', '10.0.0.0/8', '2001:db8::1', 'fd00::/8'])
  for (const address of ['192.0.2.7', '10.0.0.0', '10.255.255.255', '2001:db8::1', 'fd00::7', 'fdff::1']) {
    assert.equal(isTrusted(address), true, address)
  }
  for (const address of ['192.0.2.6', '192.0.2.8', '11.0.0.0', '9.255.255.255', '2001:db8::2', 'fe00::1']) {
    assert.equal(isTrusted(address), false, address)
  }
})

test('a closed connection has no address, and without a list nobody is trusted', () => {
  for (const listed of [[], ['127.0.0.1', '0.0.0.0/0', '::/0']]) {
    for (const address of [undefined, '']) assert.equal(makeIsTrusted(listed)(address), false)
  }
  for (const address of ['127.0.0.1', '::1']) assert.equal(makeIsTrusted([])(address), false)
})
