import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'

type OfEndpoint = { readonly merchantId: number; readonly endpointId: string }

export async function insertEndpointSecret(
  tx: Transaction,
  of: OfEndpoint,
  { id, sealed }: { id: string; sealed: Buffer },
): Promise<void> {
  await tx.query(sql`
    insert into endpoint_secrets (merchant_id, endpoint_id, id, sealed)
    values (${of.merchantId}, ${of.endpointId}, ${id}, ${sealed})`)
}

/** The current one signs until then. */
export async function endEndpointSecret(tx: Transaction, of: OfEndpoint, endsAt: Date): Promise<void> {
  await tx.query(sql`
    update endpoint_secrets set ends_at = ${endsAt.toISOString()}
    where merchant_id = ${of.merchantId} and endpoint_id = ${of.endpointId} and ends_at is null`)
}

export type ValidSecret = {
  /** See ipn/stored-secret.ts. */
  readonly stored: string
  readonly created_at: string
  readonly ends_at: string | null
}

/** Newest first. */
export async function listValidSecrets(db: Queryable, of: OfEndpoint, now: Date): Promise<ValidSecret[]> {
  return db.query<ValidSecret>(sql`
    select id || ' ' || encode(sealed, 'hex') as stored, created_at, ends_at from endpoint_secrets
    where merchant_id = ${of.merchantId} and endpoint_id = ${of.endpointId}
      and (ends_at is null or ends_at > ${now.toISOString()}::timestamptz)
    order by created_at desc`)
}

/** Ended ones as well: they are secrets still. */
export type SealedSecret = {
  readonly mode: Mode
  readonly endpoint_id: string
  readonly id: string
  readonly sealed: Buffer
}

export async function listSealedSecrets(db: Database, merchantId: number): Promise<SealedSecret[]> {
  return db.query<SealedSecret>(sql`
    select mode, endpoint_id, endpoint_secrets.id, sealed
    from endpoint_secrets join endpoints
      on endpoints.merchant_id = ${merchantId} and endpoints.id = endpoint_secrets.endpoint_id
    where endpoint_secrets.merchant_id = ${merchantId}
    order by endpoint_id, endpoint_secrets.id`)
}

/** False when it is no longer what was read. */
export async function replaceSealedSecret(
  db: Database,
  merchantId: number,
  before: SealedSecret,
  sealed: Buffer,
): Promise<boolean> {
  const rows = await db.query(sql`
    update endpoint_secrets set sealed = ${sealed}
    where merchant_id = ${merchantId} and endpoint_id = ${before.endpoint_id} and id = ${before.id}
      and sealed = ${before.sealed}
    returning id`)
  return rows.length === 1
}
