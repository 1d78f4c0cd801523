import { Fields } from '../../input/fields.ts'
import { urlLengthMax, urlMistake } from '../../input/url.ts'
import { memberText } from '../../input/json-member.ts'
import { readReference } from '../../input/reference.ts'
import type { Caller } from '../../merchants/authenticate.ts'
import type { FormBounds } from '../../merchants/form-bounds.ts'
import { isCurrency } from '../../money/currencies.ts'
import { parseAmount } from '../../money/money.ts'
import { cardNumberRule, containsCardNumber } from '../../money/card-numbers.ts'
import { limits } from '../limits.ts'
import { readItems } from './read-items.ts'
import { readMeta } from './read-meta.ts'
import type { Mode } from '../../merchants/mode.ts'

// From what a merchant's program sent to a payment that may be created: every rule of every field, in the order of
// the documentation, all mistakes at once.

export type PaymentRequest = {
  readonly txRef: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly callbackUrl: string | null
  readonly returnUrl: string | null
  readonly title: string | null
  readonly description: string | null
  readonly logo: string | null
  readonly metaText: string | null
  readonly itemsText: string | null
  readonly invoiceNumber: string | null
  /** Id or name, as sent. */
  readonly project: string | null
}

/** `bodyText` is what `body` was parsed from: numbers count as they were written. */
export function readPayment(
  body: unknown,
  caller: Pick<Caller, 'merchant' | 'mode' | 'bounds'>,
  bodyText: string,
): PaymentRequest {
  const fields = new Fields(body)
  const txRef = readReference(fields, 'tx_ref', { max: limits.txRef, bodyText })
  const currency = knownCurrency(fields, caller)
  const amountMinor = readAmount(fields, currency, bodyText)
  if (currency === undefined) explainCurrency(fields)
  const email = readEmail(fields)
  if (fields.value('first_name') === undefined) fields.fail('first_name', 'is required')
  const firstName = readWritten(fields, 'first_name', limits.name)
  // Not everybody has two names.
  const lastName = readWritten(fields, 'last_name', limits.name) ?? ''
  const callbackUrl = readUrl(fields, 'callback_url', caller.mode)
  const returnUrl = readUrl(fields, 'return_url', caller.mode)
  const { title, description, logo } = readCustomization(fields)
  const metaText = readMeta(fields, bodyText)
  const itemsText = readItems(fields, bodyText, { currency, amountMinor })
  const invoiceNumber = readWritten(fields, 'invoice_number', limits.invoiceNumber)
  const project = fields.text('project', { max: 255 }) ?? null
  if (caller.bounds)
    checkBounds(fields, caller.bounds, { txRef, currency, amountMinor, callbackUrl, returnUrl })
  fields.check()
  // check() throws when anything is missing, so what is required is there.
  return {
    txRef: txRef as string,
    amountMinor: amountMinor as bigint,
    currency: currency as string,
    email: email as string,
    firstName: firstName as string,
    lastName,
    callbackUrl,
    returnUrl,
    title,
    description,
    logo,
    metaText,
    itemsText,
    invoiceNumber,
    project,
  }
}

/** The upper-cased code when this merchant takes it. */
function knownCurrency(fields: Fields, { merchant }: Pick<Caller, 'merchant'>): string | undefined {
  const value = fields.value('currency')
  if (typeof value !== 'string') return undefined
  const code = value.toUpperCase()
  return isCurrency(code) && merchant.currencies.has(code) ? code : undefined
}

function explainCurrency(fields: Fields): void {
  const value = fields.requiredText('currency', { max: 255 })
  if (value === undefined) return
  if (!/^[A-Za-z]{3}$/.test(value)) fields.fail('currency', 'must be three letters, such as GBP')
  else fields.failWith('currency', `Invalid currency, ${value.toUpperCase()} is not supported`)
}

function readAmount(fields: Fields, currency: string | undefined, bodyText: string): bigint | undefined {
  const value = fields.value('amount')
  if (value === undefined) return fields.fail('amount', 'is required')
  if (typeof value !== 'string' && typeof value !== 'number')
    return fields.fail('amount', 'must be a string or a number')
  // Without a currency nobody can say how many decimals it may have; the currency's own mistake is told instead.
  if (currency === undefined) return undefined
  const read = parseAmount(typeof value === 'string' ? value : memberText(bodyText, 'amount'), currency)
  return read.ok ? read.minor : fields.failWith('amount', read.rule)
}

// One address, as people have them. What lies beyond (quoted local parts, comments, bare host names) is refused:
// a receipt could not be sent there through most mail servers. Invisible characters are no part of any; they make two
// addresses look alike, or one read backwards.
const addressShape =
  /^[^\s\p{Cf}@<>()[\],;:"\\]{1,64}@(?:[^\s\p{Cf}@<>()[\],;:"\\.]+\.)+[^\s\p{Cf}@<>()[\],;:"\\.]+$/u

function readEmail(fields: Fields): string | undefined {
  const text = fields.requiredText('email', { max: limits.email })
  if (text === undefined) return undefined
  if (!addressShape.test(text)) return fields.fail('email', 'must be one valid e-mail address')
  return containsCardNumber(text) ? fields.fail('email', cardNumberRule) : text
}

function readUrl(fields: Fields, name: string, mode: Mode | undefined, shownAs = name): string | null {
  const text = fields.text(name, { max: urlLengthMax })
  if (text === undefined) return null
  const broken = urlMistake(text, { httpsOnly: mode === 'live' })
  if (broken === undefined) return text
  fields.failWith(shownAs, `${shownAs} ${broken}`)
  return null
}

type Customization = { title: string | null; description: string | null; logo: string | null }

function readCustomization(fields: Fields): Customization {
  const value = fields.value('customization')
  if (value === undefined) return { title: null, description: null, logo: null }
  if (typeof value !== 'object' || Array.isArray(value)) {
    fields.fail('customization', 'must be an object')
    return { title: null, description: null, logo: null }
  }
  const inner = new Fields(value)
  const title = readWritten(inner, 'title', limits.title)
  const description = readWritten(inner, 'description', limits.description)
  const logo = readUrl(inner, 'logo', undefined)
  for (const [name, rules] of Object.entries(inner.errors)) {
    for (const rule of rules) fields.failWith(`customization.${name}`, `customization.${rule}`)
  }
  return { title, description, logo }
}

/** What a person writes, who may put a card number anywhere. */
function readWritten(fields: Fields, name: string, max: number): string | null {
  const text = fields.text(name, { max })
  if (text === undefined) return null
  if (!containsCardNumber(text)) return text
  fields.fail(name, cardNumberRule)
  return null
}

/** What was sent of the fields that bounds speak of, as far as it could be read. */
type Sent = {
  readonly txRef: string | undefined
  readonly currency: string | undefined
  readonly amountMinor: bigint | undefined
  readonly callbackUrl: string | null
  readonly returnUrl: string | null
}

function checkBounds(fields: Fields, bounds: FormBounds, sent: Sent): void {
  const { txRef, currency, amountMinor, callbackUrl, returnUrl } = sent
  if (txRef !== undefined && bounds.txRefPrefix !== undefined && !txRef.startsWith(bounds.txRefPrefix)) {
    fields.fail('tx_ref', `must begin with ${bounds.txRefPrefix}, which this form key is bound to`)
  }
  // Whom we call is not for a stranger to say who found the key in a page.
  if (!leadsTo(bounds.callbackHosts, callbackUrl)) {
    fields.fail('callback_url', 'must lead to a host that this form key is bound to')
  }
  if (!leadsTo(bounds.hosts, returnUrl)) {
    fields.fail('return_url', 'must lead to a host that this form key is bound to')
  }
  if (currency !== undefined && bounds.currencies && !bounds.currencies.includes(currency)) {
    fields.failWith('currency', `Invalid currency, ${currency} is not supported by this form key`)
  }
  if (amountMinor === undefined) return
  if (bounds.minMinor !== undefined && amountMinor < bounds.minMinor) {
    fields.fail('amount', 'is below what this form key may take')
  }
  if (bounds.maxMinor !== undefined && amountMinor > bounds.maxMinor) {
    fields.fail('amount', 'is above what this form key may take')
  }
}

function leadsTo(hosts: readonly string[] | undefined, url: string | null): boolean {
  return url === null || hosts === undefined || hosts.includes(new URL(url).hostname)
}
