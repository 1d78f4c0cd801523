import { randomUUID } from 'node:crypto'
import { Database } from '../../src/platform/database/database.ts'
import { listenPatiently } from './listen-patiently.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { Actor } from '../../src/core/audit/audit.ts'
import { listAudit, type EntryRow } from '../../src/core/audit/list-audit.ts'
import { createTestDatabase } from './database.ts'
import { waitUntil } from './wait-until.ts'

// What a change leaves behind besides what it changed: who did what, and word to all servers.

export type WitnessedCall = {
  readonly acts: readonly Pick<EntryRow, 'action' | 'subject' | 'actor' | 'before' | 'after'>[]
  /** Servers were told to forget what they remember of the merchant. */
  readonly isTold: boolean
}

export type Witness = {
  /** Of its own. */
  readonly db: Database
  /** What `change` leaves behind, of one merchant. */
  see(merchantId: number, change: () => Promise<unknown>): Promise<WitnessedCall>
  close(): Promise<void>
}

export const ada: Actor = { kind: 'person', name: 'ada' }

const everything = { since: undefined, until: undefined, action: undefined, subject: undefined, limit: 1_000 }

export async function openWitness(): Promise<Witness> {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  const listener = listenPatiently(home.url)
  const heard: string[] = []
  listener.on('florin_merchants', (merchant) => heard.push(merchant))
  await waitUntil('it listens', () => listener.connected)

  /** What was said so far. What is said later is heard later, so by then nothing of it is still on its way. */
  async function hearAll(): Promise<string[]> {
    const end = `end ${randomUUID()}`
    await db.query(sql`select pg_notify('florin_merchants', ${end})`)
    await waitUntil('it hears to the end', () => heard.includes(end))
    return heard.splice(0)
  }

  return {
    db,
    async see(merchantId, change) {
      const known = new Set((await listAudit(db, merchantId, everything)).map(({ id }) => id))
      await hearAll()
      await change()
      const isTold = (await hearAll()).includes(String(merchantId))
      const acts = (await listAudit(db, merchantId, everything))
        .filter(({ id }) => !known.has(id))
        .map(({ action, subject, actor, before, after }) => ({ action, subject, actor, before, after }))
      return { acts: acts.toReversed(), isTold }
    },
    async close() {
      await listener.close()
      await db.close()
      await home.drop()
    },
  }
}
