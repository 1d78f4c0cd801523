import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideInBody } from './hide-in-body.ts'

test('a request without a body has none in the log', () => {
  assert.equal(hideInBody(undefined), null)
  assert.equal(hideInBody(null), null)
  assert.equal(hideInBody({}), '{}')
})
