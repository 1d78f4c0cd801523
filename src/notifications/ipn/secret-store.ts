import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'

export type SecretRow = {
  readonly secret: string
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
    select secret, created_at, ends_at from webhook_secrets
    where merchant_id = ${of.merchantId} and mode = ${of.mode}
      and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    order by created_at desc`)
}

/** Does nothing when there is a current one. */
export async function insertSecret(
  db: Queryable,
  of: { merchantId: number; mode: Mode },
  secret: string,
): Promise<void> {
  await db.query(sql`
    insert into webhook_secrets (merchant_id, mode, secret) values (${of.merchantId}, ${of.mode}, ${secret})
    on conflict (merchant_id, mode) where ends_at is null do nothing`)
}

export async function endSecret(
  tx: Transaction,
  of: { merchantId: number; mode: Mode },
  endsAt: Date,
): Promise<void> {
  await tx.query(sql`
    update webhook_secrets set ends_at = ${endsAt.toISOString()}
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and ends_at is null`)
}
