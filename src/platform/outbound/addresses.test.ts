import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackUrl, reachOf } from './addresses.ts'

const forbidden = [
  '0.0.0.0',
  '0.1.2.3',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::7f00:1',
  '::a00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:c0a8:1::1',
  '2001:0:0:0:0:0:0:1',
  '2001::8.8.8.8',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '100::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '::ffff:0:127.0.0.1',
  '::ffff:0:8.8.8.8',
  '2607:f8b0::5efe:10.0.0.1',
  '2607:f8b0::200:5efe:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:0.0.0.0',
  '4000::1',
  'not an address',
  '',
  'localhost',
]
const local = {
  loopback: ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:0:0:1'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fc00::1',
    'fd12:3456::1',
    'fd00:ec2::254',
    '::ffff:10.0.0.1',
  ],
}
const open = [
  '1.1.1.1',
  '8.8.8.8',
  '9.9.9.9',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '198.17.1.1',
  '126.255.255.255',
  '128.0.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '::ffff:8.8.8.8',
]

test('only plain public addresses count as public', () => {
  for (const address of forbidden) assert.equal(reachOf(address), 'forbidden', address)
  for (const address of local.loopback) assert.equal(reachOf(address), 'loopback', address)
  for (const address of local.private) assert.equal(reachOf(address), 'private', address)
  for (const address of ['::127.0.0.1', '::10.0.0.1']) assert.notEqual(reachOf(address), 'public', address)
  for (const address of open) assert.equal(reachOf(address), 'public', address)
})

test('a loopback base_url is recognised in every spelling', () => {
  const here = [
    'http://127.0.0.1:3000',
    'http://localhost:3000',
    'http://[::1]:3000',
    'http://shop.localhost',
    'http://2130706433/',
  ]
  for (const url of here) assert.equal(isLoopbackUrl(url), true, url)
  for (const url of ['https://pay.example.com', 'http://10.0.0.5:3000', 'https://localhost.example.com']) {
    assert.equal(isLoopbackUrl(url), false, url)
  }
})
