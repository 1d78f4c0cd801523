import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readHost } from './form-host.ts'

test('a host is stored as a URL parser writes it', () => {
  const rows: [string, string][] = [
    ['shop.example.com', 'shop.example.com'],
    ['Shop.Example.COM', 'shop.example.com'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['[::1]', '[::1]'],
    ['::1', '[::1]'],
    ['2001:DB8:0:0::1', '[2001:db8::1]'],
  ]
  for (const [text, host] of rows) assert.equal(readHost(text), host, text)
})

test('more or less than a host is refused', () => {
  const texts = [
    '',
    'localhost:8080',
    'shop.example.com:443',
    '[::1]:8080',
    'https://shop.example.com',
    'shop.example.com/thanks',
    'shop.example.com?a=1',
    'ada@shop.example.com',
    '*.example.com',
    '%2A.example.com',
    '*',
    'shop example.com',
    'shop\texample.com',
    'fe80::1%eth0',
    '[shop.example.com]',
    '999.1.1.1',
  ]
  for (const text of texts) assert.equal(readHost(text), undefined, text)
})

const hostOfIpV6 = fc.ipV6().map((address) => `[${address}]`)

test('every return_url’s host can be bound, and matches itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4(), hostOfIpV6), (host) => {
      const { hostname } = new URL(`https://${host}:8443/thanks`)
      assert.equal(readHost(hostname), hostname)
    }),
  )
})
