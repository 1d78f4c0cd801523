import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { PaymentKey } from '../store.ts'

// The table payment_notes.

export type NoteRow = {
  readonly id: string
  /** The person's id. */
  readonly author: string
  readonly text: string
  readonly created_at: string
}

export async function insertNote(
  tx: Transaction,
  key: PaymentKey,
  note: Omit<NoteRow, 'created_at'>,
): Promise<void> {
  await tx.query(sql`
    insert into payment_notes (merchant_id, number, id, author, text)
    values (${key.merchantId}, ${key.number}, ${note.id}, ${note.author}, ${note.text})`)
}

export async function countNotes(db: Queryable, key: PaymentKey): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from payment_notes
    where merchant_id = ${key.merchantId} and number = ${key.number}`)
  return rows[0]?.count ?? 0
}

/** Whether there was one of this author. */
export async function deleteNote(
  tx: Transaction,
  key: PaymentKey,
  { id, author }: Pick<NoteRow, 'id' | 'author'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from payment_notes
    where merchant_id = ${key.merchantId} and number = ${key.number} and id = ${id} and author = ${author}
    returning id`)
  return rows.length > 0
}

/** In the order in which they were written. */
export async function listNotes(db: Queryable, key: PaymentKey): Promise<NoteRow[]> {
  return db.query<NoteRow>(sql`
    select id, author, text, created_at from payment_notes
    where merchant_id = ${key.merchantId} and number = ${key.number} order by created_at, id`)
}

export async function listNotesOf(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<(NoteRow & { readonly number: string })[]> {
  return db.query<NoteRow & { readonly number: string }>(sql`
    select number, id, author, text, created_at from payment_notes
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by created_at, id`)
}

export async function replaceNote(
  tx: Transaction,
  key: PaymentKey & { id: string },
  text: string,
): Promise<void> {
  await tx.query(sql`
    update payment_notes set text = ${text}
    where merchant_id = ${key.merchantId} and number = ${key.number} and id = ${key.id}`)
}
