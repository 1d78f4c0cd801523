import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { connectionLost } from './connection-lost.ts'

function answered(code: string, sentence = 'said by PostgreSQL'): pg.DatabaseError {
  const error = new pg.DatabaseError(sentence, 1, 'error')
  error.code = code
  return error
}

test('PostgreSQL’s refusals for lack of connections, time or a primary mean that nothing was done', () => {
  for (const code of ['53100', '53200', '53300', '53400', '57014', '57P03', '25006', '40P01']) {
    assert.equal(connectionLost(answered(code)), 'before sending', code)
  }
})

test('a connection lost in mid-statement leaves the outcome unknown', () => {
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

test('a cluster that loses a node in mid-statement leaves the outcome unknown, recognised by its message', () => {
  for (const sentence of [
    'postmaster was shut down, exiting',
    'could not commit transaction for shard 102153 on at least one active node',
    'failure on connection marked as essential: 10.0.0.2:5432',
    'could not establish any connections to the node 10.0.0.2:5432 after 30000 ms',
  ])
    assert.equal(connectionLost(answered('XX000', sentence)), 'after sending', sentence)
  assert.equal(connectionLost(answered('XX000', 'cache lookup failed for type 1')), undefined)
})

test('a data error is not a connection error', () => {
  for (const code of ['23505', '22P02', '23514'])
    assert.equal(connectionLost(answered(code)), undefined, code)
})
