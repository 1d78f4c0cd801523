import { Fields } from '../../../platform/input/fields.ts'
import { urlLengthMax, urlMistake } from '../../../platform/input/url.ts'
import { readReference } from '../../../platform/input/reference.ts'
import type { Caller } from '../../merchants/authenticate.ts'
import type { FormBounds } from '../../merchants/form-bounds.ts'
import type { Dialect } from '../../merchants/key-format.ts'
import { payWithinMinutes, formatMinutes } from '../../merchants/times/pay-within.ts'
import {
  currencyAdvice,
  takesCurrency,
  type NetworkTakes,
  type Payee,
} from '../../merchants/taken-currencies.ts'
import { cardDataRule, cardRuleOfUrl, containsCardData } from '../../../platform/money/card-data.ts'
import { cardNumberRule, containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { limits } from '../limits.ts'
import { inOwnFields } from '../fields/family.ts'
import { hasAmount, readAmount } from '../fields/read-amount.ts'
import { readEmail } from '../fields/read-email.ts'
import { onlyInForms } from './read-form.ts'
import { readItems } from './read-items.ts'
import { readMeta } from './read-meta.ts'
import { readSavingRequest } from '../saving/read-saving.ts'
import type { Saving } from '../saving/saving.ts'
import type { Mode } from '../../merchants/mode.ts'

// From what a merchant's program sent to a payment that may be created: every rule of every field, in the order of
// the documentation, all mistakes at once.

export type PaymentRequest = {
  readonly txRef: string
  readonly amountMinor: bigint
  readonly currency: string
  /** Empty: the checkout page asks for it. */
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
  /** How long it can be paid; null: as long as the shop's payments can. */
  readonly expiresInSeconds: number | null
  /** Null: nothing is saved, as for most payments. */
  readonly saving: Saving | null
}

/** The merchant, and what may be requested. */
export type ReadPayee = Pick<Caller, 'merchant' | 'mode' | 'bounds'> & {
  readonly networkTakes?: NetworkTakes
  readonly dialect?: Dialect
  /** The customer is there and can type it. */
  readonly needsEmail?: boolean
  /** The form that the body was made from. */
  readonly form?: unknown
}

/** `bodyText` is what `body` was parsed from: numbers count as they were written. */
export function readPayment(body: unknown, caller: ReadPayee, bodyText: string): PaymentRequest {
  const isFamily = caller.dialect === 'family'
  const fields = new Fields(isFamily ? inOwnFields(body) : body, caller.form ?? body)
  if (caller.form !== undefined) fields.alsoKnows(onlyInForms)
  const txRef = readReference(fields, 'tx_ref', { max: limits.txRef, bodyText })
  if (txRef !== undefined && containsCardData(txRef)) fields.fail('tx_ref', cardDataRule)
  const currency = knownCurrency(fields, caller)
  const amountMinor = readAmount(fields, { currency, bodyText })
  if (!hasAmount(fields)) fields.failMissing('amount')
  if (currency === undefined) explainCurrency(fields, caller)
  const email = readEmail(fields)
  if (caller.needsEmail === true && fields.value('email') === undefined) fields.failMissing('email')
  if (!isFamily && fields.value('first_name') === undefined) fields.failMissing('first_name')
  // Not everybody has two names, and plugins of the family may send none.
  const firstName = readWritten(fields, 'first_name', limits.name) ?? ''
  const lastName = readWritten(fields, 'last_name', limits.name) ?? ''
  const callbackUrl = readUrl(fields, 'callback_url', caller.mode)
  const returnUrl = readUrl(fields, 'return_url', caller.mode)
  const { title, description, logo } = readCustomization(fields)
  const metaText = readMeta(fields, bodyText)
  const itemsText = readItems(fields, bodyText, { currency, amountMinor })
  const invoiceNumber = readWritten(fields, 'invoice_number', limits.invoiceNumber)
  const project = fields.text('project', { max: 255 }) ?? null
  const expiresInSeconds = readExpiresIn(fields)
  const saving = readSavingRequest(fields, bodyText, currency)
  if (caller.bounds)
    checkBounds(fields, caller.bounds, { txRef, currency, amountMinor, callbackUrl, returnUrl })
  fields.check()
  // check() throws when anything is missing, so what is required is there.
  return {
    txRef: txRef as string,
    amountMinor: amountMinor as bigint,
    currency: currency as string,
    email: email ?? '',
    firstName,
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
    expiresInSeconds,
    saving,
  }
}

/** The upper-cased code when this merchant takes it. */
function knownCurrency(fields: Fields, payee: Payee): string | undefined {
  const value = fields.value('currency')
  if (typeof value !== 'string') return undefined
  const code = value.toUpperCase()
  return takesCurrency(payee, code) ? code : undefined
}

function explainCurrency(fields: Fields, payee: Payee): undefined {
  const value = fields.requiredText('currency', { max: 255 })
  if (value === undefined) return undefined
  if (!/^[A-Za-z]{3}$/.test(value)) return fields.fail('currency', 'must be three letters, such as GBP')
  const code = value.toUpperCase()
  return fields.failWith(
    'currency',
    `Invalid currency, ${code} is not supported: ${currencyAdvice(payee, code)}`,
  )
}

function readUrl(fields: Fields, name: string, mode: Mode | undefined, shownAs = name): string | null {
  const text = fields.text(name, { max: urlLengthMax })
  if (text === undefined) return null
  const broken = urlMistake(text, { httpsOnly: mode === 'live' }) ?? cardRuleOfUrl(text)
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
  const description = readWritten(inner, 'description', limits.description, inOneLine)
  const logo = readUrl(inner, 'logo', undefined)
  for (const [name, rules] of Object.entries(inner.errors)) {
    for (const rule of rules) fields.failWith(`customization.${name}`, `customization.${rule}`)
  }
  fields.takeWarnings(inner, 'customization.')
  return { title, description, logo }
}

/** Free text, where people may type a card number. */
function readWritten(
  fields: Fields,
  name: string,
  max: number,
  tidy?: (text: string) => string,
): string | null {
  const text = fields.text(name, { max, tidy })
  if (text === undefined) return null
  if (!containsCardNumber(text)) return text
  fields.fail(name, cardNumberRule)
  return null
}

/** Programs take descriptions out of text fields with line breaks; pages and mails show one line. */
function inOneLine(text: string): string {
  return text.replace(/\s+/g, (space) => (/[\r\n\u2028\u2029]/.test(space) ? ' ' : space))
}

const { least, most } = payWithinMinutes
const expiresInRule = `must be a whole number of seconds, from ${least * 60} (${formatMinutes(least)}) to ${most * 60} (${formatMinutes(most)})`

function readExpiresIn(fields: Fields): number | null {
  const value = fields.value('expires_in')
  if (value === undefined) return null
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  const isWhole = typeof seconds === 'number' && Number.isInteger(seconds)
  if (isWhole && seconds >= least * 60 && seconds <= most * 60) return seconds
  fields.fail('expires_in', expiresInRule)
  return null
}

/** The values that bounds apply to, as far as they could be read. */
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
    fields.fail('tx_ref', `must begin with ${bounds.txRefPrefix}, the prefix of this form key`)
  }
  // A stranger who found the key in a page must not choose which server we call.
  if (!leadsTo(bounds.callbackHosts, callbackUrl)) {
    fields.fail('callback_url', 'must use a host allowed for this form key')
  }
  if (!leadsTo(bounds.hosts, returnUrl)) {
    fields.fail('return_url', 'must use a host allowed for this form key')
  }
  if (currency !== undefined && bounds.currencies && !bounds.currencies.includes(currency)) {
    fields.failWith('currency', `Invalid currency, ${currency} is not supported by this form key`)
  }
  if (amountMinor === undefined) return
  if (bounds.minMinor !== undefined && amountMinor < bounds.minMinor) {
    fields.fail('amount', 'is below the minimum of this form key')
  }
  if (bounds.maxMinor !== undefined && amountMinor > bounds.maxMinor) {
    fields.fail('amount', 'is above the maximum of this form key')
  }
}

function leadsTo(hosts: readonly string[] | undefined, url: string | null): boolean {
  return url === null || hosts === undefined || hosts.includes(new URL(url).hostname)
}
