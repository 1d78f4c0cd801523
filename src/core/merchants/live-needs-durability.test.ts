import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../platform/database/database.ts'
import { UnsafeDatabase } from '../../platform/database/durability.ts'
import { refuseUnsafeLive, refuseUnsafeStart } from './live-needs-durability.ts'

/** A database on one machine with these settings off, and with or without a merchant that takes live payments. */
function databaseWith(off: readonly string[], isLive: boolean): Database {
  return {
    query: async () => off.map((name) => ({ name })),
    look: async () => (isLive ? [{}] : []),
    nodes: { askWhetherPlain: async () => true },
  } as unknown as Database
}

const one = new UnsafeDatabase(
  'This PostgreSQL may lose acknowledged payments: fsync is off. Switch it on before taking live payments.',
)
const both = new UnsafeDatabase(
  'This PostgreSQL may lose acknowledged payments: fsync and synchronous_commit are off. Switch them on before taking live payments.',
)

test('no merchant goes live on a database that may lose payments, unless the operator allows it', async () => {
  await assert.rejects(refuseUnsafeLive(databaseWith(['fsync'], false), false), one)
  await assert.rejects(refuseUnsafeLive(databaseWith(['fsync', 'synchronous_commit'], false), false), both)
  await refuseUnsafeLive(databaseWith(['fsync'], true), true)
  await refuseUnsafeLive(databaseWith([], true), false)
})

test('Florin refuses to start only if a merchant is live on an unsafe database', async () => {
  await assert.rejects(refuseUnsafeStart(databaseWith(['fsync'], true), false), one)
  await refuseUnsafeStart(databaseWith(['fsync'], true), true)
  await refuseUnsafeStart(databaseWith(['fsync'], false), false)
  await refuseUnsafeStart(databaseWith([], true), false)
})
