import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'

export type SecretRow = {
  readonly id: string
  /** See stored-secret.ts. */
  readonly stored: string
  readonly created_at: string
  readonly ends_at: string | null
}

/** Valid ones, newest first. */
export async function listSecrets(
  db: Queryable,
  of: { merchantId: number; mode: Mode },
  now: Date,
): Promise<SecretRow[]> {
  return db.query<SecretRow>(sql`
    select id, coalesce(secret, id || ' ' || encode(sealed, 'hex')) as stored, created_at, ends_at from webhook_secrets
    where merchant_id = ${of.merchantId} and mode = ${of.mode}
      and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    order by created_at desc`)
}

/** Does nothing when there is a current one, and returns false. */
export async function insertSecret(
  db: Queryable,
  of: { merchantId: number; mode: Mode },
  { id, sealed }: { id: string; sealed: Buffer },
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into webhook_secrets (merchant_id, mode, id, sealed) values (${of.merchantId}, ${of.mode}, ${id}, ${sealed})
    on conflict (merchant_id, mode) where ends_at is null do nothing
    returning id`)
  return rows.length === 1
}

/** The current one; with an id, only if it is that one. */
export async function endSecret(
  tx: Transaction,
  of: { merchantId: number; mode: Mode },
  endsAt: Date,
  id?: string,
): Promise<void> {
  await tx.query(sql`
    update webhook_secrets set ends_at = ${endsAt.toISOString()}
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and ends_at is null
      and id = coalesce(${id ?? null}::text, id)`)
}

/** Ended ones as well: they are secrets still. */
export type AnySecretRow = {
  readonly mode: Mode
  readonly id: string
  readonly secret: string | null
  readonly sealed: Buffer | null
}

export async function listAllSecrets(db: Database, merchantId: number): Promise<AnySecretRow[]> {
  return db.query<AnySecretRow>(sql`
    select mode, id, secret, sealed from webhook_secrets where merchant_id = ${merchantId} order by mode, id`)
}

/** False when it is no longer what was read. */
export async function replaceSecret(
  db: Database,
  merchantId: number,
  before: AnySecretRow,
  sealed: Buffer,
): Promise<boolean> {
  const rows = await db.query(sql`
    update webhook_secrets set sealed = ${sealed}, secret = null
    where merchant_id = ${merchantId} and mode = ${before.mode} and id = ${before.id}
      and sealed is not distinct from ${before.sealed}::bytea and secret is not distinct from ${before.secret}::text
    returning id`)
  return rows.length === 1
}
