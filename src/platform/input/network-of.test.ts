import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, shortAddress } from './network-of.ts'

test('an IPv4 address counts by itself in every notation, an IPv6 address by its /64', () => {
  const rows: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ]
  for (const [address, network] of rows) assert.equal(networkOf(address), network, address)
})

test('an address is shortened to its /24 or /48, and any other text stays', () => {
  const rows = {
    '192.0.2.7': '192.0.2.0/24',
    '::ffff:192.0.2.7': '192.0.2.0/24',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1::/48',
    '::1': '::/48',
    odd: 'odd',
  }
  for (const [address, short] of Object.entries(rows)) assert.equal(shortAddress(address), short)
})
