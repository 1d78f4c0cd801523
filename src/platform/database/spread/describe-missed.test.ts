import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMissed } from './describe-missed.ts'

test('a list that lacks the merchants of a node says so, and how many shards it lacks', () => {
  assert.equal(
    describeMissed({ nodes: ['db2:5432'], shards: 16, of: 32 }),
    "Cluster node db2:5432 can't be reached right now: merchants in 16 of 32 shards can't be read and are missing here.",
  )
  assert.match(
    describeMissed({ nodes: ['db2:5432', 'db3:5432'], shards: 2, of: 3 }),
    /^Cluster nodes db2:5432, db3:5432 can't /,
  )
})
