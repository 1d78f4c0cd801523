import { merchantsInOrder } from '../../../platform/database/spread/merchants-in-order.ts'
import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

const atOnce = 1_000

export async function findMerchantsWithPlainSecrets(db: Database, after: number): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from webhook_secrets
    where sealed is null and merchant_id > ${after}
    order by merchant_id limit ${atOnce}`)
  return merchantsInOrder(rows, atOnce)
}

/** A sealed value starts with a version byte and the id of its key. */
export async function findMerchantsWithSecretsNotUnder(
  db: Database,
  after: number,
  keyId: string,
): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from webhook_secrets
    where (sealed is null or encode(substring(sealed from 2 for 8), 'hex') <> ${keyId}) and merchant_id > ${after}
    order by merchant_id limit ${atOnce}`)
  return merchantsInOrder(rows, atOnce)
}
