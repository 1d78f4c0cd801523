import { Fields, isTime } from '../../platform/input/fields.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import { cardNumberRule, containsCardNumber } from '../../platform/money/card-numbers.ts'
import { readTypedAmount } from '../../platform/money/typed-amount.ts'
import { takesCurrency, type NetworkTakes, type Payee } from '../../core/merchants/taken-currencies.ts'
import { limits } from '../../core/payments/limits.ts'
import { endOfDay } from '../../core/merchants/brand/end-of-day.ts'
import type { LinkPlace } from './linking.ts'
import type { LinkChange, NewLink } from './store.ts'

// From a form that a person filled in to a link: every rule of every field, all mistakes at once, in words for people.

export const stockMax = 100_000

/** The customer's own details, as they were typed; undefined: the customer is asked. */
export type Customer = { readonly email: string; readonly firstName: string; readonly lastName: string }
export type LinkRequest = Omit<NewLink, 'id'> & { readonly customer: Customer | undefined }

export function readLink(
  form: FormFields,
  place: LinkPlace & { readonly networkTakes?: NetworkTakes },
  now: Date,
): LinkRequest {
  const { merchant, mode } = place
  const fields = new Fields(Object.fromEntries(form))
  const kind = fields.value('kind') === 'single' ? 'single' : 'reusable'
  const currency = readCurrency(fields, place)
  const amounts = readAmounts(fields, kind, currency)
  const customer = kind === 'single' ? readCustomer(fields) : undefined
  const shared = readShared(fields, merchant.brand.timeZone, now, kind === 'single')
  // Checked last, as a form without a currency is a browser's doing, not a person's.
  if (mode === 'live' && !merchant.liveEnabled)
    fields.failWith('form', 'Live payments are not switched on for this shop yet')
  fields.check()
  return { ...shared, ...amounts, mode, kind, currency, asks_customer: customer === undefined, customer }
}

/** What may be changed of an existing link. Not its amount: it may be printed on paper. */
export function readLinkChange(
  form: FormFields,
  { merchant }: LinkPlace,
  now: Date,
  isSingle: boolean,
): LinkChange {
  const fields = new Fields(Object.fromEntries(form))
  const change = readShared(fields, merchant.brand.timeZone, now, isSingle)
  fields.check()
  return change
}

function readShared(fields: Fields, timeZone: string, now: Date, isSingle: boolean): LinkChange {
  return {
    title: written(fields, 'title', 'what the payment is for', limits.title) ?? '',
    description: written(fields, 'description', 'the description', limits.description, false) ?? null,
    stock: isSingle ? 1 : readStock(fields),
    ends_at: readEnd(fields, timeZone, now),
  }
}

function written(
  fields: Fields,
  name: string,
  called: string,
  max: number,
  isRequired = true,
): string | undefined {
  const value = fields.value(name)
  if (value === undefined && !isRequired) return undefined
  if (value === undefined) return fields.failWith(name, `Say ${called}`)
  const text = new Fields({ [name]: value }).text(name, { max })
  if (text === undefined)
    return fields.failWith(name, `Use at most ${max} characters for ${called}, and no line breaks`)
  return containsCardNumber(text) ? fields.failWith(name, `${called} ${cardNumberRule}`) : text
}

function readCurrency(fields: Fields, payee: Payee): string {
  const value = fields.value('currency')
  if (typeof value === 'string' && takesCurrency(payee, value)) return value
  fields.failWith('currency', 'Choose a currency')
  return 'GBP'
}

function readAmounts(
  fields: Fields,
  kind: NewLink['kind'],
  currency: string,
): Pick<NewLink, 'amount_minor' | 'least_minor' | 'most_minor'> {
  const amount_minor = readAmount(fields, 'amount', currency)
  if (kind === 'single' && fields.value('amount') === undefined) fields.failWith('amount', 'Enter an amount')
  // A fixed amount has no minimum and maximum, whatever was left in the form.
  if (amount_minor !== null || kind === 'single') return { amount_minor, least_minor: null, most_minor: null }
  const least_minor = readAmount(fields, 'least', currency)
  const most_minor = readAmount(fields, 'most', currency)
  if (least_minor !== null && most_minor !== null && least_minor > most_minor)
    fields.failWith('most', 'The highest amount is less than the lowest')
  return { amount_minor, least_minor, most_minor }
}

function readAmount(fields: Fields, name: string, currency: string): bigint | null {
  const value = fields.value(name)
  if (typeof value !== 'string') return null
  const read = readTypedAmount(value, currency)
  if (read.ok) return read.minor
  fields.failWith(name, `Enter an amount such as 1000.50: it ${read.rule.replace(/^amount /, '')}`)
  return null
}

function readStock(fields: Fields): number | null {
  const value = fields.value('stock')
  if (value === undefined) return null
  const stock = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0
  if (stock >= 1 && stock <= stockMax) return stock
  fields.failWith('stock', `Enter a whole number from 1 to ${stockMax.toLocaleString('en')}, or nothing`)
  return null
}

function readEnd(fields: Fields, timeZone: string, now: Date): Date | null {
  const value = fields.value('ends_on')
  if (value === undefined) return null
  const isDay = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isTime(value)
  const end = isDay ? endOfDay(value, timeZone) : undefined
  if (end && end > now) return end
  fields.failWith('ends_on', end ? 'Choose today or a later day' : 'Enter a day such as 2026-12-31')
  return null
}

/** Both or none. Their rules are those of every payment, and are read when it is made. */
function readCustomer(fields: Fields): Customer | undefined {
  const typed = (name: string): string => {
    const value = fields.value(name)
    return typeof value === 'string' ? value : ''
  }
  const customer = {
    email: typed('email'),
    firstName: typed('first_name'),
    lastName: typed('last_name'),
  }
  const { email, firstName, lastName } = customer
  if (email === '' && firstName === '' && lastName === '') return undefined
  if (email === '') fields.failWith('email', 'Enter the customer’s e-mail address too, or leave both empty')
  if (firstName === '')
    fields.failWith('first_name', 'Enter the customer’s first name too, or leave both empty')
  return customer
}
