import type { PaymentMethod } from '../../../platform/money/payment-methods.ts'
import type { BrandRow } from './brand-store.ts'

// What customers see of a merchant, on pages, in e-mails and on receipts. All of it may be missing; the name is the
// merchant's own.

export type Brand = {
  /** As `#17603f`; how it is made readable: accent.ts. */
  readonly colour: string | undefined
  readonly website: string | undefined
  readonly supportEmail: string | undefined
  readonly supportPhone: string | undefined
  /** Line by line. */
  readonly address: readonly string[]
  readonly companyNumber: string | undefined
  readonly vatNumber: string | undefined
  /** Two letters, such as `GB`. Decides what the tax on receipts is called. */
  readonly country: string | undefined
  /** The time zone of receipts. */
  readonly timeZone: string
  /** The text on the customer's bank statement. */
  readonly statementDescriptor: string | undefined
  /** Hosts whose pages may frame the checkout. */
  readonly embedHosts: readonly string[]
  /** The checkout's languages, the fallback first. None: all of them, English first. */
  readonly languages: readonly string[]
  /** A customer who has just paid sees the receipt, with a button back to the shop, instead of the shop. */
  readonly receiptFirst: boolean
  /** Ways to pay in the order they are shown; ways that are not listed follow. None: cards and wallets first. */
  readonly methodOrder: readonly PaymentMethod[]
  /** The shop's own pages, linked at the foot of the checkout. */
  readonly termsUrl: string | undefined
  readonly privacyUrl: string | undefined
  readonly legalNoticeUrl: string | undefined
  /** The picture that is the logo. */
  readonly logoId: string | undefined
}

/** For a merchant that has set nothing. */
export const plainBrand: Brand = {
  colour: undefined,
  website: undefined,
  supportEmail: undefined,
  supportPhone: undefined,
  address: [],
  companyNumber: undefined,
  vatNumber: undefined,
  country: undefined,
  timeZone: 'UTC',
  statementDescriptor: undefined,
  embedHosts: [],
  languages: [],
  receiptFirst: false,
  methodOrder: [],
  termsUrl: undefined,
  privacyUrl: undefined,
  legalNoticeUrl: undefined,
  logoId: undefined,
}

export function brandOf(row: BrandRow | undefined): Brand {
  if (!row) return plainBrand
  return {
    colour: row.colour ?? undefined,
    website: row.website ?? undefined,
    supportEmail: row.support_email ?? undefined,
    supportPhone: row.support_phone ?? undefined,
    address: row.postal_address === null ? [] : row.postal_address.split('\n'),
    companyNumber: row.company_number ?? undefined,
    vatNumber: row.vat_number ?? undefined,
    country: row.country ?? undefined,
    timeZone: row.time_zone ?? plainBrand.timeZone,
    statementDescriptor: row.statement_descriptor ?? undefined,
    embedHosts: row.embed_hosts,
    languages: row.languages,
    receiptFirst: row.receipt_first,
    methodOrder: row.method_order,
    termsUrl: row.terms_url ?? undefined,
    privacyUrl: row.privacy_url ?? undefined,
    legalNoticeUrl: row.legal_notice_url ?? undefined,
    logoId: row.logo_id ?? undefined,
  }
}
