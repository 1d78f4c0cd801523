import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundsOf, checkBounds, columnsOf, isPrefix, type FormBounds } from './form-bounds.ts'

test('a form key needs a host, and callbacks use the same hosts unless others are named', () => {
  assert.throws(() => checkBounds(undefined), /hosts is required for a form key/)
  assert.throws(() => checkBounds({ hosts: [] }), /hosts is required for a form key/)
  assert.deepEqual(checkBounds({ hosts: ['Shop.example'] }), {
    hosts: ['shop.example'],
    callbackHosts: ['shop.example'],
    showsTitle: false,
  })
  const bounds = { hosts: ['a.example'], callbackHosts: ['B.example'], showsTitle: true, txRefPrefix: 'web-' }
  assert.deepEqual(checkBounds(bounds), { ...bounds, callbackHosts: ['b.example'] })
  assert.deepEqual(checkBounds({ hosts: ['a.example'], callbackHosts: [] }).callbackHosts, [])
})

test('an impossible host is refused with its field', () => {
  assert.throws(
    () => checkBounds({ hosts: ['a.example', 'https://b.example'] }),
    /^Refusal: hosts must be host names .*but one is "https:\/\/b\.example"$/,
  )
  assert.throws(
    () => checkBounds({ hosts: ['a.example'], callbackHosts: ['*'] }),
    /^Refusal: callback_hosts must be/,
  )
})

test('a prefix has 1 to 100 characters that a tx_ref may start with', () => {
  for (const prefix of ['a', 'x'.repeat(100), 'web orders-']) {
    assert.equal(isPrefix(prefix), true, prefix)
    assert.equal(checkBounds({ hosts: ['a.example'], txRefPrefix: prefix }).txRefPrefix, prefix)
  }
  for (const prefix of ['', 'x'.repeat(101), ' a', 'a ', 'a\u0007b', '\ud800']) {
    assert.equal(isPrefix(prefix), false, prefix)
    assert.throws(
      () => checkBounds({ hosts: ['a.example'], txRefPrefix: prefix }),
      /tx_ref_prefix must be 1 to 100/,
    )
  }
})

test('bounds are read back as they were stored', () => {
  const whole: FormBounds = {
    hosts: ['a.example'],
    callbackHosts: ['b.example'],
    txRefPrefix: 'web-',
    currencies: ['GBP'],
    minMinor: 100n,
    maxMinor: 900n,
    showsTitle: false,
  }
  const open = {
    callbackHosts: undefined,
    txRefPrefix: undefined,
    currencies: undefined,
    minMinor: undefined,
    maxMinor: undefined,
    showsTitle: undefined,
  }
  assert.deepEqual(boundsOf({ ...columnsOf(whole), form_secret: null }), whole)
  const least = { hosts: ['a.example'] }
  assert.deepEqual(boundsOf({ ...columnsOf(least), form_secret: null }), { ...open, ...least })
  assert.equal(boundsOf({ ...columnsOf(undefined), form_secret: null }), undefined)
  assert.deepEqual(new Set(Object.values(columnsOf(undefined))), new Set([null]))
})
