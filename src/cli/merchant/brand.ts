import { readFile, stat } from 'node:fs/promises'
import { isOwnMachine, type Config } from '../../platform/settings/config.ts'
import type { BrandChanges } from '../../core/merchants/brand/read-brand.ts'
import { readMerchant } from '../../core/merchants/authenticate.ts'
import { checkPicture, pictureBytesMax, type Checked } from '../../core/merchants/pictures/check-picture.ts'
import { fetchPicture, type Picture } from '../../core/merchants/pictures/pictures.ts'
import { formatMinutes } from '../../core/merchants/times/pay-within.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { withDatabase } from '../reach/with-database.ts'
import {
  flag,
  merchantNumber,
  onOff,
  readArguments,
  text,
  UsageMistake,
  type Parsed,
} from '../terminal/arguments.ts'
import { print, printFacts, visible } from '../terminal/print.ts'

// What customers see of a merchant: `merchant set` and `merchant show`.

const option = { type: 'string' } as const

export const brandOptions = {
  colour: option,
  logo: option,
  website: option,
  'support-email': option,
  'support-phone': option,
  address: option,
  'company-number': option,
  'vat-number': option,
  country: option,
  'time-zone': option,
  'statement-descriptor': option,
  'embed-hosts': option,
  languages: option,
  'receipt-first': option,
  'method-order': option,
  'terms-url': option,
  'privacy-url': option,
  'legal-notice-url': option,
}

export const brandHelp = `  Shown to customers on every page, in mail and on receipts; "" removes a value:
  --name                 the name that customers know
  --logo                 a PNG or JPEG, from a file or a URL (fetched once), at
                         most 1024 × 1024 pixels and 200 kB
  --colour               such as #17603f, made readable on light and dark
  --website, --support-email, --support-phone
  --address              lines separated by a comma and a space
  --company-number, --vat-number
  --country              such as GB or DE: the name of the tax on receipts
  --time-zone            for the times on receipts, such as Europe/London
  --statement-descriptor 5 to 22 letters on the customer's bank statement
  --embed-hosts          hosts that may show the checkout in a frame:
                         shop.example.com,localhost:8080
  --languages            languages of the checkout, such as cy,en; the first is
                         the fallback. "" offers all
  --receipt-first        on shows the receipt after payment, with a button back;
                         off sends customers to return_url at once
  --method-order         payment methods in the order to show them, as
                         bank,card; also mobile_money and wallet
  --terms-url, --privacy-url, --legal-notice-url
                         your pages, linked at the bottom of the checkout`

/** The requested changes; undefined if none concern the brand. */
export function readBrandOptions(parsed: Parsed): BrandChanges | undefined {
  const named = {
    colour: text(parsed, 'colour'),
    website: text(parsed, 'website'),
    supportEmail: text(parsed, 'support-email'),
    supportPhone: text(parsed, 'support-phone'),
    address: text(parsed, 'address'),
    companyNumber: text(parsed, 'company-number'),
    vatNumber: text(parsed, 'vat-number'),
    country: text(parsed, 'country'),
    timeZone: text(parsed, 'time-zone'),
    statementDescriptor: text(parsed, 'statement-descriptor'),
    embedHosts: listed(text(parsed, 'embed-hosts')),
    languages: listed(text(parsed, 'languages')),
    receiptFirst: onOff('receipt-first', text(parsed, 'receipt-first')),
    methodOrder: listed(text(parsed, 'method-order')),
    termsUrl: text(parsed, 'terms-url'),
    privacyUrl: text(parsed, 'privacy-url'),
    legalNoticeUrl: text(parsed, 'legal-notice-url'),
  }
  const given = Object.entries(named).filter(([, value]) => value !== undefined)
  return given.length === 0 && text(parsed, 'logo') === undefined ? undefined : Object.fromEntries(given)
}

function listed(commaSeparated: string | undefined): string[] | undefined {
  return commaSeparated
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** The logo is looked at before anything is changed. */
export async function readLogo(config: Config, parsed: Parsed): Promise<Picture | 'none' | undefined> {
  const given = text(parsed, 'logo')
  if (given === undefined) return undefined
  if (given === '') return 'none'
  const checked = /^https?:\/\//i.test(given) ? await fetchLogo(config, given) : await readLogoFile(given)
  if (!checked.ok) throw new UsageMistake(`--logo ${checked.rule}`)
  return checked.picture
}

async function fetchLogo(config: Config, url: string): Promise<Checked> {
  const { makeOutbound } = await import('../../platform/outbound/outbound.ts')
  const outbound = makeOutbound()
  try {
    return await fetchPicture(outbound, url, isOwnMachine(config) ? 'local' : 'public')
  } finally {
    await outbound.close()
  }
}

async function readLogoFile(path: string): Promise<Checked> {
  const file = await stat(path).catch(() => undefined)
  if (!file?.isFile()) throw new UsageMistake(`--logo: there is no file "${path}"`)
  if (file.size > pictureBytesMax) return { ok: false, rule: 'must be at most 200 kB' }
  return checkPicture(await readFile(path))
}

export async function show(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } }, 1)
  const number = merchantNumber(parsed.words[0])
  if (number === undefined)
    throw new UsageMistake("Give the merchant's 8-digit number: florin merchant show 12345678")
  const merchant = await withDatabase(config, (db) => readMerchant(db, number))
  if (!merchant) throw new Refusal('not_found', 'Merchant not found')
  const { brand } = merchant
  const facts = {
    merchant: String(number),
    name: merchant.name,
    email: merchant.email ?? undefined,
    currencies: [...merchant.currencies.keys()].join(', '),
    logo: brand.logoId && `${config.BASE_URL}/logo/${number}/${brand.logoId}`,
    colour: brand.colour,
    website: brand.website,
    support_email: brand.supportEmail,
    support_phone: brand.supportPhone,
    address: brand.address.join(', ') || undefined,
    company_number: brand.companyNumber,
    vat_number: brand.vatNumber,
    country: brand.country,
    time_zone: brand.timeZone,
    statement_descriptor: brand.statementDescriptor,
    embed_hosts: brand.embedHosts.join(', ') || undefined,
    languages: brand.languages.join(', ') || undefined,
    receipt_first: brand.receiptFirst ? 'on' : 'off',
    method_order: brand.methodOrder.join(', ') || undefined,
    terms_url: brand.termsUrl,
    privacy_url: brand.privacyUrl,
    legal_notice_url: brand.legalNoticeUrl,
    pay_within: formatMinutes(merchant.payWithinMinutes),
  }
  if (flag(parsed, 'json')) return print(JSON.stringify(facts))
  printFacts(
    Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, value && visible(value)])),
  )
}
