import type { Database, Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

// The only place that names the table installation_secrets.

/** Sealed, or plain since before secrets were sealed. */
export type InstallationSecretRow = {
  readonly name: string
  readonly secret: Buffer | null
  readonly sealed: Buffer | null
}

/** The secret of this name; `fresh` becomes it if there is none yet. Servers that start at once agree on the first. */
export async function shareSecret(
  db: Database,
  name: string,
  freshSealed: Buffer,
): Promise<InstallationSecretRow> {
  await db.query(sql`
    insert into installation_secrets (name, sealed) values (${name}, ${freshSealed}) on conflict (name) do nothing`)
  const found = await findSecret(db, name)
  if (!found) throw new Error(`The secret ${name} vanished while it was read`)
  return found
}

export async function findSecret(db: Queryable, name: string): Promise<InstallationSecretRow | undefined> {
  const rows = await db.query<InstallationSecretRow>(sql`
    select name, secret, sealed from installation_secrets where name = ${name}`)
  return rows[0]
}

export async function listSecrets(db: Queryable): Promise<InstallationSecretRow[]> {
  return db.query<InstallationSecretRow>(sql`
    select name, secret, sealed from installation_secrets order by name`)
}

/** False when it is no longer what was read. */
export async function replaceSecret(
  db: Database | Transaction,
  before: InstallationSecretRow,
  sealed: Buffer,
): Promise<boolean> {
  const rows = await db.query(sql`
    update installation_secrets set sealed = ${sealed}, secret = null
    where name = ${before.name} and sealed is not distinct from ${before.sealed}::bytea
      and secret is not distinct from ${before.secret}::bytea
    returning name`)
  return rows.length === 1
}

/** Tells every server, once this commits, which key seals from now on. */
export async function announceKey(tx: Transaction, keyId: string): Promise<void> {
  await tx.query(sql`select pg_notify('florin_secrets_key', ${keyId})`)
}
