import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { shareSecret } from './installation-secret-store.ts'

/** 32 bytes that all servers of an installation share under a name, drawn when they are first asked for. */
export async function installationSecret(db: Database, name: string): Promise<Buffer> {
  return shareSecret(db, name, randomBytes(32))
}
