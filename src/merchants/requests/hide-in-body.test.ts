import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideInAnswer, hideInBody, hideInPath } from './hide-in-body.ts'

test('a request without a body has none in the log', () => {
  assert.equal(hideInBody(undefined), null)
  assert.equal(hideInBody(null), null)
  assert.equal(hideInBody({}), '{}')
})

test('an answer is looked through up to a length, and one that is longer is not kept', () => {
  const answer = (length: number): string => JSON.stringify('x'.repeat(length - 2))
  assert.match(hideInAnswer(answer(65_536)), /^"x{4095}…$/)
  assert.equal(hideInAnswer(answer(65_537)), '[too long to keep: 65537 characters]')
})

test('an address is kept as people read it, up to a length, without cards', () => {
  assert.equal(hideInPath('/api/transaction/caf%C3%A9'), '/api/transaction/café')
  assert.equal(hideInPath('/api/transaction/50%'), '/api/transaction/50%')
  assert.equal(hideInPath('/a/4242424242424242?b=4242424242424242'), '/a/[hidden]?b=[hidden]')
  assert.equal(hideInPath('/a%0Ab'), '/a b')
  const long = `/${'a'.repeat(511)}`
  assert.equal(hideInPath(long), long)
  assert.equal(hideInPath(`${long}b`), `${long}…`)
})
