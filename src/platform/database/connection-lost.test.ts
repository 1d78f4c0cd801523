import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { connectionLost, lacksFile, mayAnswerSoon } from './connection-lost.ts'

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

test('a library that PostgreSQL can’t load means that nothing was done', () => {
  const gone = answered('58P01', 'could not access file "plpgsql": No such file or directory')
  const other = answered('XX000', 'incompatible library "/usr/lib/plpgsql.so": version mismatch')
  for (const error of [gone, other]) {
    assert.ok(lacksFile(error))
    assert.equal(connectionLost(error), 'before sending')
  }
  assert.ok(!lacksFile(answered('XX000', 'cache lookup failed for type 1')))
})

test('a start waits for a database that is away, starts up or is restarted, not for one that refuses us', () => {
  const pooler = answered('08P01', 'server login has been failing, cached error: connect failed')
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  const inMigration = new Error('Migration 0001 failed', { cause: answered('57P01') })
  const away = [
    answered('57P03'),
    answered('57P02'),
    pooler,
    reset,
    inMigration,
    new Error('timeout expired'),
  ]
  for (const error of away) assert.ok(mayAnswerSoon(error), error.message)
  const refusals = [
    answered('28P01'),
    answered('3D000'),
    answered('25006'),
    answered('08P01'),
    new Error('else'),
  ]
  for (const error of refusals) {
    Object.assign(error, { severity: 'FATAL' })
    assert.ok(!mayAnswerSoon(error), error.message)
  }
})
