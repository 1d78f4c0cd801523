import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashKey, keyHint, makeKey, readKey, type KeyKind } from './key-format.ts'
import type { Mode } from './mode.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const merchantIds = fc.integer({ min: 10_000_000, max: 99_999_999 })
const shapes: [KeyKind, Mode | undefined, RegExp][] = [
  ['secret', 'test', /^sk_test_[0-9A-Za-z]{38}$/],
  ['secret', 'live', /^sk_live_[0-9A-Za-z]{38}$/],
  ['form', 'test', /^fk_test_[0-9A-Za-z]{38}$/],
  ['form', 'live', /^fk_live_[0-9A-Za-z]{38}$/],
  ['api', undefined, /^ak_[0-9A-Za-z]{38}$/],
]

test('a key shows its kind and mode, and identifies its merchant', () => {
  fc.assert(
    fc.property(fc.constantFrom(...shapes), merchantIds, ([kind, mode, shape], merchantId) => {
      const key = makeKey(kind, mode, merchantId)
      assert.match(key, shape)
      assert.deepEqual(readKey(key), { kind, mode, merchantId })
    }),
  )
})

test('every single-character typo is refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...shapes), merchantIds, ([kind, mode], merchantId) => {
      const key = makeKey(kind, mode, merchantId)
      for (let at = 0; at < key.length; at += 1) {
        for (const letter of alphabet) {
          if (letter === key[at]) continue
          const mistyped = key.slice(0, at) + letter + key.slice(at + 1)
          assert.equal(readKey(mistyped), undefined, mistyped)
        }
      }
    }),
    { numRuns: 10 },
  )
})

test('swapped, missing or extra characters are refused', () => {
  fc.assert(
    fc.property(merchantIds, fc.nat(37), (merchantId, offset) => {
      const key = makeKey('secret', 'live', merchantId)
      const at = 'sk_live_'.length + offset
      const swapped = key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2)
      if (swapped !== key) assert.equal(readKey(swapped), undefined)
      assert.equal(readKey(key.slice(0, at) + key.slice(at + 1)), undefined)
      assert.equal(readKey(`${key.slice(0, at)}0${key.slice(at)}`), undefined)
      assert.equal(readKey(` ${key}`), undefined)
      assert.equal(readKey(`${key}\n`), undefined)
    }),
  )
})

test('a key of one mode or kind doesn’t pass as another', () => {
  const key = makeKey('secret', 'test', 12_345_678)
  for (const prefix of ['sk_live_', 'fk_test_', 'fk_live_', 'ak_']) {
    assert.equal(readKey(prefix + key.slice('sk_test_'.length)), undefined)
  }
})

test('no two keys are the same, even for one merchant', () => {
  const keys = new Set(Array.from({ length: 1_000 }, () => makeKey('secret', 'test', 12_345_678)))
  assert.equal(keys.size, 1_000)
})

test('the hint tells keys apart without revealing them', () => {
  const key = makeKey('secret', 'live', 12_345_678)
  assert.equal(keyHint(key), `sk_live_…${key.slice(-4)}`)
  assert.equal(keyHint(makeKey('api', undefined, 12_345_678)).slice(0, 4), 'ak_…')
})

test('the hash is SHA-256 of the whole key', () => {
  assert.equal(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
