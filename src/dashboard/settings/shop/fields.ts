import type { FormFields } from '../../../platform/input/form-fields.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import type { BrandChanges } from '../../../core/merchants/brand/read-brand.ts'
import { draftBrand } from '../../../core/merchants/brand/draft-brand.ts'
import { readName } from '../../people/read-person.ts'

// The shop form's fields, by the names the rules use.

export const labels = {
  name: 'Name',
  colour: 'Colour',
  website: 'Website',
  support_email: 'Support e-mail',
  support_phone: 'Support telephone',
  address: 'Postal address',
  company_number: 'Company number',
  vat_number: 'VAT number',
  country: 'Country',
  time_zone: 'Time zone',
  statement_descriptor: 'Statement descriptor',
  terms_url: 'Terms page',
  privacy_url: 'Privacy page',
  legal_notice_url: 'Legal notice',
} as const

export type FieldName = keyof typeof labels
export const fieldNames = Object.keys(labels) as FieldName[]

export type Typed = Readonly<Record<FieldName, string>>

export function typedOf({ name, brand }: Pick<Merchant, 'name' | 'brand'>): Typed {
  return {
    name,
    colour: brand.colour ?? '',
    website: brand.website ?? '',
    support_email: brand.supportEmail ?? '',
    support_phone: brand.supportPhone ?? '',
    address: brand.address.join('\n'),
    company_number: brand.companyNumber ?? '',
    vat_number: brand.vatNumber ?? '',
    country: brand.country ?? '',
    time_zone: brand.timeZone,
    statement_descriptor: brand.statementDescriptor ?? '',
    terms_url: brand.termsUrl ?? '',
    privacy_url: brand.privacyUrl ?? '',
    legal_notice_url: brand.legalNoticeUrl ?? '',
  }
}

/** Fields left out keep their value. */
export function readTyped(fields: FormFields, before: Typed): Typed {
  const pairs = fieldNames.map((name) => [name, fields.get(name)?.replaceAll('\r\n', '\n') ?? before[name]])
  return Object.fromEntries(pairs) as Typed
}

export function changesOf(typed: Typed): BrandChanges {
  return {
    colour: typed.colour,
    website: typed.website,
    supportEmail: typed.support_email,
    supportPhone: typed.support_phone,
    address: typed.address,
    companyNumber: typed.company_number,
    vatNumber: typed.vat_number,
    country: typed.country,
    timeZone: typed.time_zone,
    statementDescriptor: typed.statement_descriptor,
    termsUrl: typed.terms_url,
    privacyUrl: typed.privacy_url,
    legalNoticeUrl: typed.legal_notice_url,
  }
}

export function shopName({ name }: Typed): string {
  return readName(name, 'name', 'the name that customers know')
}

export type Shown = Pick<Merchant, 'id' | 'name' | 'brand'>

/** The shop with the draft applied. Refuses values that can't be saved. */
export function draftOf(merchant: Merchant, typed: Typed): Shown {
  return { id: merchant.id, name: shopName(typed), brand: draftBrand(merchant.brand, changesOf(typed)) }
}
