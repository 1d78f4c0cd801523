import type { Database } from '../database/database.ts'
import { findMailRow, listMailRows, type MailboxRow } from './mailbox-store.ts'
import type { Mode } from './store.ts'

// Mail that stayed here, as the dashboard shows it.

export type MailInBox = Omit<MailboxRow, 'merchant_id'>

const shownMax = 100

/** Newest first. */
export async function listMails(db: Database, of: { merchantId: number; mode: Mode }): Promise<MailInBox[]> {
  return (await listMailRows(db, of, shownMax)).map(withoutMerchant)
}

export async function findMail(
  db: Database,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<MailInBox | undefined> {
  const row = await findMailRow(db, of)
  return row && withoutMerchant(row)
}

function withoutMerchant(row: MailboxRow): MailInBox {
  const { id, mode, event, number, from_address, to_address, subject, text, html, at } = row
  return { id, mode, event, number, from_address, to_address, subject, text, html, at }
}
