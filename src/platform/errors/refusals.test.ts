import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenRule, Refusal, refusalCodes } from './refusals.ts'

test('a failed validation always has errors, and no other refusal has any', () => {
  for (const { code, message } of refusalCodes()) {
    const expected = code === 'validation_failed' ? { request: [message] } : undefined
    assert.deepEqual(new Refusal(code).errors, expected, code)
  }
})

test('a broken rule appears in the message and under its field', () => {
  const { code, message, errors } = brokenRule('tx_ref', 'tx_ref is required')
  assert.deepEqual(
    [code, message, errors],
    ['validation_failed', 'tx_ref is required', { tx_ref: ['tx_ref is required'] }],
  )
})
