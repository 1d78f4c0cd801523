import type { Database } from '../../../platform/database/database.ts'
import type { FieldErrors, Refusal } from '../../../platform/errors/refusals.ts'
import { readPage, type PageEnd, type CursorPosition } from '../../../platform/input/cursor.ts'
import { Fields, Query } from '../../../platform/input/fields.ts'
import type { Mode } from '../../merchants/mode.ts'
import { limits } from '../limits.ts'
import { deleteOldRefusals, insertRefusal, listRefusals, type FormRefusalRow } from './form-refusal-store.ts'

// Why a merchant's web form was refused. A browser sent it, so only the customer saw the answer.

/** Per merchant and mode. */
export const formRefusalsKept = 100

type Scope = { readonly merchantId: number; readonly mode: Mode }

export type FormRefusal = {
  readonly created_at: string
  readonly code: string
  readonly message: string
  readonly errors: FieldErrors | null
  readonly tx_ref: string | null
  readonly request_id: string
}

export async function recordFormRefusal(
  db: Database,
  scope: Scope,
  refused: { readonly refusal: Refusal; readonly txRef: string | undefined; readonly requestId: string },
): Promise<void> {
  const { code, message, errors } = refused.refusal
  await insertRefusal(db, scope, {
    request_id: refused.requestId,
    code,
    message,
    errors: errors === undefined ? null : JSON.stringify(errors),
    tx_ref: new Fields({ tx_ref: refused.txRef }).text('tx_ref', { max: limits.txRef }) ?? null,
  })
  await deleteOldRefusals(db, scope, formRefusalsKept)
}

export async function listFormRefusals(db: Database, scope: Scope): Promise<FormRefusal[]> {
  return (await listRefusals(db, scope, { limit: formRefusalsKept })).map(presentRefusal)
}

export type FormRefusalPage = PageEnd & { readonly refusals: readonly FormRefusal[] }

/** A page of them, as a program asks for it. */
export async function readFormRefusals(db: Database, scope: Scope, query: unknown): Promise<FormRefusalPage> {
  const fields = new Query(query)
  const positionOf = ({ at, request_id: name }: FormRefusalRow): CursorPosition => ({ at, name })
  const page = await readPage(fields, { names: /./, positionOf }, async (part) =>
    listRefusals(db, scope, part),
  )
  return { ...page, refusals: page.rows.map(presentRefusal) }
}

function presentRefusal({ errors, ...row }: FormRefusalRow): FormRefusal {
  return {
    created_at: row.at,
    code: row.code,
    message: row.message,
    errors: errors === null ? null : (JSON.parse(errors) as FieldErrors),
    tx_ref: row.tx_ref,
    request_id: row.request_id,
  }
}
