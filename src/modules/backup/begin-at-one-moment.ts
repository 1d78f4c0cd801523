import type pg from 'pg'
import { BackupRefused } from './backup-refused.ts'
import { holdWrites, NotHeld } from '../../platform/database/spread/hold-writes.ts'
import { keepInPlace, readPlacements } from '../../platform/database/spread/keep-in-place.ts'
import { firstTable } from '../../platform/database/spread/placement.ts'
import { isSpread, notTheCoordinator, readSpread } from '../../platform/database/spread/spread.ts'

/** Throws when rows have gone from one node to another since: where they are now, they were not at that moment. */
type CheckPlaces = () => Promise<void>

/**
 * Begins a transaction that reads one consistent snapshot. On a cluster its connection to each node begins the same
 * kind of transaction there, which sees what was committed when it was first used; so each is used once while writes
 * are blocked.
 */
export async function beginAtOneMoment(client: pg.Client, url: string): Promise<CheckPlaces> {
  const begin = 'begin isolation level repeatable read, read only'
  const spread = await readSpread(client)
  if (!spread.isCoordinator) throw notTheCoordinator()
  if (!isSpread(spread)) {
    await client.query(begin)
    return async () => {}
  }
  await keepInPlace(client)
  await client.query(begin)
  // One connection to each node for all of it: each has a moment of its own.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  const before = await atOnce(url, async () => {
    await client.query(`select id from ${firstTable} limit 1`)
    return readPlacements(url)
  })
  return async () => {
    if ((await readPlacements(url)) === before) return
    throw new BackupRefused(
      'Shards moved between nodes during the backup, so it would lack rows. Try again when the move has finished.',
    )
  }
}

async function atOnce<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await holdWrites(url, work)
  } catch (error) {
    if (!(error instanceof NotHeld)) throw error
    throw new BackupRefused(`Could not take a snapshot of all nodes. ${error.message}`)
  }
}
