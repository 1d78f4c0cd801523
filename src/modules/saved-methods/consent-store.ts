import type { Database, Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

// The evidence of what customers agreed to. Rows are added and never changed.

export type Consent = {
  readonly merchant_id: number
  readonly number: string
  readonly agreement: string
  readonly limit_minor: bigint | null
  readonly currency: string
  readonly language: string
  /** The sentence on the page, word for word. */
  readonly words: string
  readonly address: string | null
}

export async function insertConsent(db: Database, consent: Consent): Promise<void> {
  await db.query(sql`
    insert into saved_method_consents (merchant_id, number, agreement, limit_minor, currency, language, words, address)
    values (${consent.merchant_id}, ${consent.number}, ${consent.agreement}, ${consent.limit_minor}, ${consent.currency},
      ${consent.language}, ${consent.words}, ${consent.address})`)
}

export type GivenConsent = Consent & { readonly at: string }

/** Newest first. */
export async function listConsents(
  db: Queryable,
  { merchantId, number }: { merchantId: number; number: string },
): Promise<GivenConsent[]> {
  return db.query<GivenConsent>(sql`
    select merchant_id, number, at, agreement, limit_minor, currency, language, words, address from saved_method_consents
    where merchant_id = ${merchantId} and number = ${number} order by at desc`)
}
