import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTestReceiver, testReceiverUrl } from './address.ts'

const baseUrl = 'http://127.0.0.1:3000/pay'

test('a test receiver’s URL is recognised', () => {
  for (const base of [baseUrl, `${baseUrl}/`, 'https://pay.example.com'])
    for (const query of ['', '?tx_ref=order-1&status=success'])
      assert.ok(isTestReceiver(base, testReceiverUrl(base, 12_345_678) + query), base)
})

test('no other URL of this Florin is recognised as a test receiver', () => {
  for (const target of [
    'http://127.0.0.1:3000/pay/metrics',
    'http://127.0.0.1:3000/pay/test-receiver/../metrics',
    'http://127.0.0.1:3000/pay/test-receiver/12345678/../../metrics',
    'http://127.0.0.1:3000/pay/test-receiver/%2e%2e/12345678',
    'http://127.0.0.1:3000/pay/metrics?a=/test-receiver/12345678',
    'http://127.0.0.1:3000/pay/test-receiver/12345678#/test-receiver/12345678',
    'http://127.0.0.1:3000/test-receiver/12345678',
    'http://127.0.0.1:3001/pay/test-receiver/12345678',
    'https://127.0.0.1:3000/pay/test-receiver/12345678',
    'http://169.254.169.254/pay/test-receiver/12345678',
    'http://127.0.0.1:3000@evil.example/pay/test-receiver/12345678',
    'http://user@127.0.0.1:3000/pay/test-receiver/12345678',
    'http://127.0.0.1:3000/pay/test-receiver/1234567',
    '/pay/test-receiver/12345678',
    '',
  ])
    assert.equal(isTestReceiver(baseUrl, target), false, target)
})
