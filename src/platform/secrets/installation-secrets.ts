import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import {
  listSecrets,
  replaceSecret,
  shareSecret,
  type InstallationSecretRow,
} from './installation-secret-store.ts'
import type { SealedRows } from './reseal.ts'
import type { Place, Secrets } from './secrets.ts'

/** 32 bytes that all servers of an installation share under a name, drawn when they are first asked for. */
export async function installationSecret(db: Database, secrets: Secrets, name: string): Promise<Buffer> {
  const place = placeOf(name)
  const { secret, sealed } = await shareSecret(db, name, secrets.seal(place, randomBytes(32)))
  return sealed === null ? (secret ?? Buffer.alloc(0)) : secrets.open(place, sealed)
}

export function placeOf(name: string): Place {
  return { table: 'installation_secrets', key: name, purpose: 'secret of the installation' }
}

/** Says under which key the others are sealed (sealed/check-key.ts). */
export const canaryName = 'canary'

/** To reseal them. They are the installation's own: there is no merchant to visit. */
export const installationSecretRows: SealedRows<InstallationSecretRow> = {
  what: 'secrets of the installation',
  findOwners: async (_db, after) => (after < 0 ? [0] : []),
  list: async (db) => (await listSecrets(db)).filter(({ name }) => name !== canaryName),
  stored: (row) => ({ place: placeOf(row.name), plain: row.secret, sealed: row.sealed }),
  replace: async (db, row, sealed) => replaceSecret(db, row, sealed),
}
