import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { connectionLost } from './connection-lost.ts'

function answered(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('said by PostgreSQL', 1, 'error')
  error.code = code
  return error
}

test('a refusal by PostgreSQL for want of room, time or a master says that nothing was done', () => {
  for (const code of ['53100', '53200', '53300', '53400', '57014', '57P03', '25006', '40P01']) {
    assert.equal(connectionLost(answered(code)), 'before sending', code)
  }
})

test('a connection that ends under way leaves it open', () => {
  for (const code of ['57P01', '57P02', '08006', '08003']) {
    assert.equal(connectionLost(answered(code)), 'after sending', code)
  }
  const paused = answered('25P03')
  paused.severity = 'FATAL'
  assert.equal(
    connectionLost(paused),
    'after sending',
    'idle in a transaction, as after a pause of this process',
  )
  for (const code of ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT']) {
    assert.equal(connectionLost(Object.assign(new Error(code), { code })), 'after sending', code)
  }
})

test('an error in the data is none of the connection', () => {
  for (const code of ['23505', '22P02', '23514'])
    assert.equal(connectionLost(answered(code)), undefined, code)
})
