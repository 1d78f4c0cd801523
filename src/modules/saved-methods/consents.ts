import type { Database } from '../../platform/database/database.ts'
import type { Consent } from '../../core/payments/saving/saved-methods.ts'
import { insertConsent, listConsents, type GivenConsent } from './consent-store.ts'

export type { GivenConsent }

/** Kept before anything is charged. */
export async function recordConsent(db: Database, consent: Consent): Promise<void> {
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
