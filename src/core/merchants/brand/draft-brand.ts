import { brandOf, type Brand } from './brand.ts'
import { readBrand, type BrandChanges } from './read-brand.ts'

/** The brand with these changes. Nothing is stored, and the same rules apply. */
export function draftBrand(brand: Brand, changes: BrandChanges): Brand {
  return brandOf({
    colour: brand.colour ?? null,
    website: brand.website ?? null,
    support_email: brand.supportEmail ?? null,
    support_phone: brand.supportPhone ?? null,
    postal_address: brand.address.length === 0 ? null : brand.address.join('\n'),
    company_number: brand.companyNumber ?? null,
    vat_number: brand.vatNumber ?? null,
    country: brand.country ?? null,
    time_zone: brand.timeZone,
    statement_descriptor: brand.statementDescriptor ?? null,
    embed_hosts: [...brand.embedHosts],
    languages: [...brand.languages],
    receipt_first: brand.receiptFirst,
    method_order: [...brand.methodOrder],
    terms_url: brand.termsUrl ?? null,
    privacy_url: brand.privacyUrl ?? null,
    legal_notice_url: brand.legalNoticeUrl ?? null,
    logo_id: brand.logoId ?? null,
    ...readBrand(changes),
  })
}
