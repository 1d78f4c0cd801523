import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CursorPosition } from '../../../platform/input/cursor.ts'
import type { Mode } from '../../merchants/mode.ts'

// The table form_refusals.

export type FormRefusalRow = {
  readonly at: string
  readonly request_id: string
  readonly code: string
  readonly message: string
  /** JSON text. */
  readonly errors: string | null
  readonly tx_ref: string | null
}

type Scope = { readonly merchantId: number; readonly mode: Mode }

export async function insertRefusal(
  db: Database,
  { merchantId, mode }: Scope,
  row: Omit<FormRefusalRow, 'at'>,
): Promise<void> {
  await db.query(sql`
    insert into form_refusals (merchant_id, mode, at, request_id, code, message, errors, tx_ref)
    values (${merchantId}, ${mode}, now(), ${row.request_id}, ${row.code}, ${row.message}, ${row.errors}::json, ${row.tx_ref})`)
}

/** All but the newest `kept`. */
export async function deleteOldRefusals(
  db: Database,
  { merchantId, mode }: Scope,
  kept: number,
): Promise<void> {
  await db.query(sql`
    delete from form_refusals
    where merchant_id = ${merchantId} and mode = ${mode} and at <= (
      select at from form_refusals
      where merchant_id = ${merchantId} and mode = ${mode}
      order by at desc offset ${kept} limit 1)`)
}

/** Newest first. */
export async function listRefusals(
  db: Database,
  { merchantId, mode }: Scope,
  page: { readonly after?: CursorPosition | undefined; readonly limit: number },
): Promise<FormRefusalRow[]> {
  const from = page.after && sql`and (at, request_id) < (${page.after.at}, ${page.after.name})`
  return db.query<FormRefusalRow>(sql`
    select at, request_id, code, message, errors::text as errors, tx_ref from form_refusals
    where merchant_id = ${merchantId} and mode = ${mode} ${from ?? sql``}
    order by at desc, request_id desc limit ${page.limit}`)
}
