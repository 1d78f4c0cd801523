import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { PaymentMethod } from '../../../platform/money/payment-methods.ts'

// The table merchant_brands.

export type BrandRow = {
  readonly colour: string | null
  readonly website: string | null
  readonly support_email: string | null
  readonly support_phone: string | null
  readonly postal_address: string | null
  readonly company_number: string | null
  readonly vat_number: string | null
  readonly country: string | null
  readonly time_zone: string | null
  readonly statement_descriptor: string | null
  readonly embed_hosts: string[]
  readonly languages: string[]
  readonly receipt_first: boolean
  readonly method_order: PaymentMethod[]
  readonly terms_url: string | null
  readonly privacy_url: string | null
  readonly legal_notice_url: string | null
  readonly logo_id: string | null
}

export async function findBrand(db: Queryable, merchantId: number): Promise<BrandRow | undefined> {
  const rows = await db.query<BrandRow>(sql`
    select colour, website, support_email, support_phone, postal_address, company_number, vat_number, country, time_zone,
           statement_descriptor, embed_hosts, languages, receipt_first, method_order, terms_url, privacy_url,
           legal_notice_url, logo_id
    from merchant_brands where merchant_id = ${merchantId}`)
  return rows[0]
}

/** All of it at once: the merchant's own row is locked, so no other change gets lost. */
export async function upsertBrand(tx: Transaction, merchantId: number, row: BrandRow): Promise<void> {
  await tx.query(sql`
    insert into merchant_brands (merchant_id, colour, website, support_email, support_phone, postal_address,
      company_number, vat_number, country, time_zone, statement_descriptor, embed_hosts, languages, receipt_first,
      method_order, terms_url, privacy_url, legal_notice_url, logo_id)
    values (${merchantId}, ${row.colour}, ${row.website}, ${row.support_email}, ${row.support_phone},
      ${row.postal_address}, ${row.company_number}, ${row.vat_number}, ${row.country}, ${row.time_zone},
      ${row.statement_descriptor}, ${row.embed_hosts}, ${row.languages}, ${row.receipt_first}, ${row.method_order},
      ${row.terms_url}, ${row.privacy_url}, ${row.legal_notice_url}, ${row.logo_id})
    on conflict (merchant_id) do update set colour = excluded.colour, website = excluded.website,
      support_email = excluded.support_email, support_phone = excluded.support_phone,
      postal_address = excluded.postal_address, company_number = excluded.company_number,
      vat_number = excluded.vat_number, country = excluded.country, time_zone = excluded.time_zone,
      statement_descriptor = excluded.statement_descriptor, embed_hosts = excluded.embed_hosts,
      languages = excluded.languages, receipt_first = excluded.receipt_first,
      method_order = excluded.method_order, terms_url = excluded.terms_url, privacy_url = excluded.privacy_url,
      legal_notice_url = excluded.legal_notice_url, logo_id = excluded.logo_id, updated_at = excluded.updated_at`)
}
