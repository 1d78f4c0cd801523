import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

// The test network's records of cards that it saved. It keeps no number, only which of the test cards it was.

export type SavedCard = {
  readonly token: string
  readonly card_last4: string
  readonly expires: string
  readonly forgotten_at: string | null
}

export async function insertSavedCard(
  db: Database,
  card: {
    readonly merchantId: number
    readonly token: string
    readonly paymentNumber: string
    readonly last4: string
    readonly expires: string
  },
): Promise<void> {
  await db.query(sql`
    insert into test_network.saved_cards (merchant_id, token, payment_number, card_last4, expires)
    values (${card.merchantId}, ${card.token}, ${card.paymentNumber}, ${card.last4}, ${card.expires})`)
}

export async function findSavedCard(
  db: Database,
  { merchantId, token }: { readonly merchantId: number; readonly token: string },
): Promise<SavedCard | undefined> {
  const rows = await db.query<SavedCard>(sql`
    select token, card_last4, expires, forgotten_at from test_network.saved_cards
    where merchant_id = ${merchantId} and token = ${token}`)
  return rows[0]
}

export async function forgetCard(
  db: Database,
  { merchantId, token }: { readonly merchantId: number; readonly token: string },
  at: Date,
): Promise<void> {
  await db.query(sql`
    update test_network.saved_cards set forgotten_at = ${at}
    where merchant_id = ${merchantId} and token = ${token} and forgotten_at is null`)
}
