import { Fields } from '../../../platform/input/fields.ts'
import { readReference } from '../../../platform/input/reference.ts'
import { urlLengthMax, urlMistake } from '../../../platform/input/url.ts'
import type { Mode } from '../../../core/merchants/mode.ts'
import { cardDataRule, cardRuleOfUrl, containsCardData } from '../../../platform/money/card-data.ts'
import { cardNumberRule, containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import { hasAmount, readAmount } from '../../../core/payments/fields/read-amount.ts'
import { readMeta } from '../../../core/payments/api/read-meta.ts'
import { limits } from '../../../core/payments/limits.ts'
import type { ChargeRequest } from '../charge-method.ts'

// From what a merchant's program sent to a charge that may be made: every rule of every field, all mistakes at once.

const known = [
  'tx_ref',
  'amount',
  'amount_minor',
  'currency',
  'description',
  'callback_url',
  'meta',
  'email_customer',
]

/** `bodyText` is what `body` was parsed from: numbers count as they were written. */
export function readCharge(body: unknown, mode: Mode, bodyText: string): ChargeRequest {
  const fields = new Fields(body)
  const txRef = readReference(fields, 'tx_ref', { max: limits.txRef, bodyText })
  if (txRef !== undefined && containsCardData(txRef)) fields.fail('tx_ref', cardDataRule)
  const currency = readCurrency(fields)
  const amountMinor = readAmount(fields, { currency, bodyText })
  if (!hasAmount(fields)) fields.failMissing('amount')
  const description = readDescription(fields)
  const callbackUrl = readCallbackUrl(fields, mode)
  const metaText = readMeta(fields, bodyText)
  const mailsCustomer = readFlag(fields, 'email_customer')
  // Whoever misspells a field of a charge must not find out from a customer.
  for (const name of Object.keys(body as object))
    if (!known.includes(name)) fields.fail(name, `is not a known field, use ${known.join(', ')}`)
  fields.check()
  // check() throws when anything is missing.
  return {
    txRef: txRef as string,
    amountMinor: amountMinor as bigint,
    currency: currency as string,
    description,
    callbackUrl,
    metaText,
    mailsCustomer,
  }
}

function readCurrency(fields: Fields): string | undefined {
  const code = fields.requiredText('currency', { max: 255 })?.toUpperCase()
  if (code === undefined) return undefined
  return isCurrency(code) ? code : fields.fail('currency', 'must be an ISO 4217 code, such as GBP')
}

function readDescription(fields: Fields): string | null {
  const text = fields.text('description', { max: limits.description })
  if (text !== undefined && containsCardNumber(text)) fields.fail('description', cardNumberRule)
  return text ?? null
}

function readCallbackUrl(fields: Fields, mode: Mode): string | null {
  const text = fields.text('callback_url', { max: urlLengthMax })
  if (text === undefined) return null
  const broken = urlMistake(text, { httpsOnly: mode === 'live' }) ?? cardRuleOfUrl(text)
  if (broken !== undefined) fields.fail('callback_url', broken)
  return text
}

function readFlag(fields: Fields, name: string): boolean {
  const value = fields.value(name)
  if (value === undefined || value === false) return false
  if (value !== true) fields.fail(name, 'must be true or false')
  return true
}
