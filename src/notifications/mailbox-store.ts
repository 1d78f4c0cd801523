import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Mode } from './store.ts'

export type MailboxRow = {
  readonly merchant_id: number
  readonly id: string
  readonly mode: Mode
  readonly event: string
  readonly number: string | null
  readonly from_address: string
  readonly to_address: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly at: string
}

/** Mails that are there already stay as they are: the server died after writing them and before noting that. */
export async function insertMails(db: Queryable, mails: readonly MailboxRow[]): Promise<void> {
  await db.query(sql`
    insert into mailbox (merchant_id, id, mode, event, number, from_address, to_address, subject, text, html, at)
    select merchant_id, id, mode, event, number, from_address, to_address, subject, text, html, at
    from json_to_recordset(${JSON.stringify(mails)}) as mail (
      merchant_id integer, id text, mode text, event text, number text, from_address text, to_address text, subject text,
      text text, html text, at timestamptz)
    on conflict (merchant_id, id) do nothing`)
}

export async function listMailRows(
  db: Queryable,
  of: { merchantId: number; mode: Mode },
  limit: number,
): Promise<MailboxRow[]> {
  return db.query<MailboxRow>(sql`
    select merchant_id, id, mode, event, number, from_address, to_address, subject, text, html, at from mailbox
    where merchant_id = ${of.merchantId} and mode = ${of.mode}
    order by at desc, id desc limit ${limit}`)
}

export async function findMailRow(
  db: Queryable,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<MailboxRow | undefined> {
  const rows = await db.query<MailboxRow>(sql`
    select merchant_id, id, mode, event, number, from_address, to_address, subject, text, html, at from mailbox
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and id = ${of.id}`)
  return rows[0]
}
