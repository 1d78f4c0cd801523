import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTry } from './describe-try.ts'

test('every status code is explained', () => {
  const meanings: readonly [number, RegExp | undefined][] = [
    [200, undefined],
    [299, undefined],
    [199, /^Only an answer from 200 to 299/],
    [300, /^Florin doesn’t follow redirects/],
    [399, /^Florin doesn’t follow redirects/],
    [400, /^Only an answer from 200 to 299/],
    [401, /^Something in front of your program/],
    [403, /^Something in front of your program/],
    [404, /^This page doesn’t exist/],
    [405, /^This page doesn’t accept POST/],
    [410, /Florin won’t retry\.$/],
    [429, /^The receiver asks Florin to slow down/],
    [499, /^Only an answer from 200 to 299/],
    [500, /^Your program failed/],
    [503, /^Your program failed/],
  ]
  for (const [status, meaning] of meanings) {
    const said = describeTry({ status, error: null })
    assert.equal(said.what, `Answered ${status}`)
    if (meaning === undefined) assert.equal(said.means, undefined)
    else assert.match(said.means ?? '', meaning, String(status))
  }
})

test('an attempt without an answer gives its reason in words, even for unknown errors', () => {
  assert.deepEqual(describeTry({ status: null, error: null }), { what: 'Not tried yet', means: undefined })
  assert.equal(describeTry({ status: null, error: 'timeout' }).what, 'No answer in time')
  assert.deepEqual(describeTry({ status: null, error: 'odd_new_error' }), {
    what: 'odd new error',
    means: undefined,
  })
})
