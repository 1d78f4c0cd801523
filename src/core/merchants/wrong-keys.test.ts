import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/errors/refusals.ts'
import { makeRateLimit } from '../../platform/http/rate-limit.ts'
import { makeWrongKeys, RefusedKey, WrongKey } from './wrong-keys.ts'

function open() {
  const counted: string[] = []
  const limit = makeRateLimit({ perSecond: 1, burst: 2 }, () => 0)
  const wrongKeys = makeWrongKeys(limit, (reason) => void counted.push(reason))
  const refused = (error: unknown, address: string): unknown => wrongKeys.refused(error, address)
  return { counted, refused }
}

const wrong = new WrongKey('unauthorized', undefined, 'Invalid secret key')
const told = (error: unknown) => (error instanceof Refusal ? [error.code, error.headers] : error)
const waits = ['rate_limited', { 'retry-after': '1' }]

test('wrong keys slow down only the network they come from', () => {
  const { refused, counted } = open()
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2::2']) assert.equal(refused(wrong, address), wrong)
  assert.deepEqual(told(refused(wrong, '2001:db8:1:2::3')), waits)
  assert.equal(refused(wrong, '2001:db8:1:3::1'), wrong)
  assert.equal(refused(wrong, '192.0.2.7'), wrong)
  assert.deepEqual(counted, ['wrong', 'wrong', 'limited', 'wrong', 'wrong'])
})

test('requests without a key are counted separately, and other refusals not at all', () => {
  const { refused, counted } = open()
  const missing = new Refusal('unauthorized', 'Authorization is required')
  const others = [
    new RefusedKey('merchant_suspended', undefined),
    new RefusedKey('live_not_enabled', undefined),
    new Refusal('not_found', 'Payment not found'),
    new Error('broken'),
    undefined,
  ]
  for (const error of others) assert.equal(refused(error, '192.0.2.7'), error)
  assert.deepEqual(counted, [])
  for (let count = 0; count < 5; count += 1) assert.equal(refused(missing, '192.0.2.7'), missing)
  assert.deepEqual(new Set(counted.splice(0)), new Set(['missing']))
  assert.equal(refused(wrong, '192.0.2.7'), wrong, 'those without a key have used up nothing')
})

test('RefusedKey carries the key’s owner', () => {
  const owner = { keyId: 'key_1', merchantId: 12_345_678, mode: 'test' } as const
  const refusal = new RefusedKey('unauthorized', owner, 'No', { headers: { 'www-authenticate': 'Bearer' } })
  assert.deepEqual(
    [refusal.owner, refusal.message, refusal.status, refusal.headers],
    [owner, 'No', 401, { 'www-authenticate': 'Bearer' }],
  )
})
