import type { Database } from '../../platform/database/database.ts'
import { randomHex } from '../../platform/database/random-id.ts'
import type { DeclineReason, Order, SavedMethod } from '../networks/connector.ts'
import { findByEnding, type TestCard } from './cards.ts'
import { findSavedCard, insertSavedCard, type SavedCard } from './saved-card-store.ts'

/** Saved before it is charged; a card that is declined is never told of. Returns its token. */
export async function saveCard(db: Database, order: Order, { last4 }: TestCard): Promise<string> {
  const { merchantId, paymentNumber, card } = order
  const token = `tc_${randomHex(24)}`
  const expires = `${card.expiryYear}-${String(card.expiryMonth).padStart(2, '0')}`
  await insertSavedCard(db, { merchantId, token, paymentNumber, last4, expires })
  return token
}

export async function describeSaved(
  db: Database,
  merchantId: number,
  token: string,
): Promise<SavedMethod | undefined> {
  const saved = await findSavedCard(db, { merchantId, token })
  const known = saved && findByEnding(saved.card_last4)
  return (
    known && {
      reference: token,
      kind: 'card',
      brand: known.brand,
      last4: known.last4,
      expires: saved.expires,
    }
  )
}

/** Why a charge without the customer is declined; undefined: as the card's own outcome says. */
export function laterReason({ outcome }: TestCard, saved: SavedCard, at: Date): DeclineReason | undefined {
  if (saved.forgotten_at !== null) return 'method_ended'
  const [year = 0, month = 0] = saved.expires.split('-').map(Number)
  if (!(Date.UTC(year, month, 1) > at.getTime())) return 'expired_card'
  const later = outcome.kind === 'charged' ? outcome.later : undefined
  return later === 'comes_back' ? undefined : later
}
