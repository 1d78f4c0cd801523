import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeUrl } from './node-url.ts'

test('a node is reached as its coordinator is, at its own host and port', () => {
  const coordinator = 'postgres://florin:secret@main:5432/florin?sslmode=verify-full&host=/run/postgresql'
  assert.equal(
    nodeUrl(coordinator, 'node1:5433'),
    'postgres://florin:secret@node1:5433/florin?sslmode=verify-full',
  )
  assert.equal(
    nodeUrl(coordinator, '::1:5433'),
    'postgres://florin:secret@[::1]:5433/florin?sslmode=verify-full',
  )
})
