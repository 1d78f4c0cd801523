import type { Database } from '../database/database.ts'
import type { SaveRequest } from '../payments/saving/saving.ts'
import { insertConsent, listConsents, type GivenConsent } from './consent-store.ts'

export type { GivenConsent }

/** What the customer read and agreed to by pressing the button, kept before anything is charged. */
export async function recordConsent(
  db: Database,
  consent: {
    readonly merchantId: number
    readonly number: string
    readonly currency: string
    readonly asked: SaveRequest
    readonly language: string
    readonly words: string
    readonly address: string
  },
): Promise<void> {
  const { merchantId, number, currency, asked, language, words, address } = consent
  await insertConsent(db, {
    merchant_id: merchantId,
    number,
    agreement: asked.agreement,
    limit_minor: asked.limitMinor === undefined ? null : BigInt(asked.limitMinor),
    currency,
    language,
    words,
    address,
  })
}

/** The evidence for a payment that saved a method, newest first. */
export async function consentsOf(
  db: Database,
  payment: { readonly merchantId: number; readonly number: string },
): Promise<readonly GivenConsent[]> {
  return listConsents(db, payment)
}
