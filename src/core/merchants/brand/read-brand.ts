import { brokenRule } from '../../../platform/errors/refusals.ts'
import { plainText } from '../../../platform/input/isolate.ts'
import { urlLengthMax, urlMistake } from '../../../platform/input/url.ts'
import { cardNumberRule, containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { paymentMethods, type PaymentMethod } from '../../../platform/money/payment-methods.ts'
import { countryCodes } from './countries.ts'
import type { BrandRow } from './brand-store.ts'
import { embedOriginsOf } from './embed-hosts.ts'
import { readLanguages } from './languages.ts'

// A merchant's public details, field by field. All of it is shown to customers.

/** The changes; an empty text removes a field, and fields left out stay. */
export type BrandChanges = {
  readonly colour?: string
  readonly website?: string
  readonly supportEmail?: string
  readonly supportPhone?: string
  /** Lines, with \n or a comma and a space between them. */
  readonly address?: string
  readonly companyNumber?: string
  readonly vatNumber?: string
  readonly country?: string
  readonly timeZone?: string
  readonly statementDescriptor?: string
  readonly embedHosts?: readonly string[]
  readonly languages?: readonly string[]
  readonly receiptFirst?: boolean
  readonly methodOrder?: readonly string[]
  readonly termsUrl?: string
  readonly privacyUrl?: string
  readonly legalNoticeUrl?: string
}

type Column = Exclude<
  keyof BrandRow,
  'embed_hosts' | 'languages' | 'receipt_first' | 'method_order' | 'logo_id'
>

export function readBrand(changes: BrandChanges): Partial<BrandRow> {
  const texts: [Column, string | undefined, (text: string) => string][] = [
    ['colour', changes.colour, readColour],
    ['website', changes.website, (text) => readUrl('website', text)],
    ['support_email', changes.supportEmail, readSupportEmail],
    ['support_phone', changes.supportPhone, readPhone],
    ['postal_address', changes.address, readAddress],
    ['company_number', changes.companyNumber, (text) => shortText('company_number', text, 50)],
    ['vat_number', changes.vatNumber, (text) => shortText('vat_number', text, 50)],
    ['country', changes.country, readCountry],
    ['time_zone', changes.timeZone, readTimeZone],
    ['statement_descriptor', changes.statementDescriptor, readDescriptor],
    ['terms_url', changes.termsUrl, (text) => readUrl('terms_url', text)],
    ['privacy_url', changes.privacyUrl, (text) => readUrl('privacy_url', text)],
    ['legal_notice_url', changes.legalNoticeUrl, (text) => readUrl('legal_notice_url', text)],
  ]
  const read = texts.flatMap(([column, text, rule]) =>
    text === undefined ? [] : [[column, text.trim() === '' ? null : rule(text.trim())] as const],
  )
  return {
    ...(Object.fromEntries(read) as Partial<BrandRow>),
    ...(changes.embedHosts && { embed_hosts: readEmbedHosts(changes.embedHosts) }),
    ...(changes.languages && { languages: readLanguages(changes.languages) }),
    ...(changes.receiptFirst !== undefined && { receipt_first: changes.receiptFirst }),
    ...(changes.methodOrder && { method_order: readMethodOrder(changes.methodOrder) }),
  }
}

function readColour(text: string): string {
  const short = /^#?([\da-f])([\da-f])([\da-f])$/i.exec(text)
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`.toLowerCase()
  if (/^#?[\da-f]{6}$/i.test(text)) return `#${text.replace('#', '').toLowerCase()}`
  throw brokenRule('colour', 'colour must be six hexadecimal digits such as #17603f')
}

function readUrl(name: Column, text: string): string {
  const mistake = text.length > urlLengthMax ? 'must be at most 2,000 characters' : urlMistake(text)
  if (mistake !== undefined) throw brokenRule(name, `${name} ${mistake}`)
  return text
}

function readCountry(text: string): string {
  const code = text.toUpperCase()
  if (countryCodes.includes(code)) return code
  throw brokenRule('country', 'country must be a two-letter code such as GB or DE')
}

function readSupportEmail(text: string): string {
  if (text.length <= 254 && /^[^\s\p{C}@<>()[\],;:"\\]+@[^\s\p{C}@<>()[\],;:"\\]+$/u.test(text)) return text
  throw brokenRule('support_email', 'support_email must be one e-mail address')
}

function readPhone(text: string): string {
  if (/^\+?[\d ()./-]{3,39}$/.test(text)) return text
  throw brokenRule('support_phone', 'support_phone must be a telephone number such as +44 20 7946 0000')
}

const addressLinesMax = 6

function readAddress(text: string): string {
  const lines = text
    .split(/\n|,\s+|\\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length > addressLinesMax) {
    throw brokenRule('address', `address must be at most ${addressLinesMax} lines`)
  }
  return lines.map((line) => shortText('address', line, 80)).join('\n')
}

/** A name that Intl knows, as it writes it. */
function readTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw brokenRule('time_zone', 'time_zone must be a name such as Europe/London')
  }
}

/** The rules of card schemes: 5 to 22 letters of ASCII, one of them a letter, and none that bank files use for themselves. */
function readDescriptor(text: string): string {
  if (/^[\x20-\x7e]{5,22}$/.test(text) && /[a-z]/i.test(text) && !/[<>\\'"*]/.test(text)) return text
  throw brokenRule(
    'statement_descriptor',
    'statement_descriptor must be 5 to 22 plain letters, digits and spaces, with a letter and without < > \\ \' " *',
  )
}

const embedHostsMax = 20

function readEmbedHosts(hosts: readonly string[]): string[] {
  if (hosts.length > embedHostsMax) {
    throw brokenRule('embed_hosts', `embed_hosts must have at most ${embedHostsMax} hosts`)
  }
  for (const host of hosts) {
    if (embedOriginsOf(host) === undefined) {
      throw brokenRule(
        'embed_hosts',
        'embed_hosts must be host names such as shop.example.com or localhost:8080: no https://, no path, no *',
      )
    }
  }
  return hosts.map((host) => host.toLowerCase())
}

function readMethodOrder(names: readonly string[]): PaymentMethod[] {
  const methods = paymentMethods.filter((method) => names.includes(method))
  if (methods.length !== names.length) {
    throw brokenRule(
      'method_order',
      `method_order must list each of ${paymentMethods.join(', ')} at most once`,
    )
  }
  return methods.toSorted((left, right) => names.indexOf(left) - names.indexOf(right))
}

function shortText(name: string, text: string, max: number): string {
  const plain = plainText(text)
  if (plain.length < 1 || plain.length > max || /\p{Cc}/u.test(plain) || !plain.isWellFormed()) {
    throw brokenRule(name, `${name} must be 1 to ${max} characters`)
  }
  if (containsCardNumber(plain)) throw brokenRule(name, `${name} ${cardNumberRule}`)
  return plain
}
