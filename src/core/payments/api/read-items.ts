import { needsExactNumbers, parseExactly } from '../../../platform/http/json-body.ts'
import { Fields } from '../../../platform/input/fields.ts'
import { memberText } from '../../../platform/input/json-member.ts'
import { cardNumberRule, containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { parseAmount, plainAmount } from '../../../platform/money/money.ts'
import { totalOf, writeItems, type Item } from '../items.ts'
import { limits } from '../limits.ts'
import { isTooDeep, levelsMax } from './read-meta.ts'

// `items`: what the payment is for, line by line. They add up to the amount, or the payment is refused.

const quantityMax = 1_000_000

/** The text of the column; null without items, or when a rule failed. */
export function readItems(
  fields: Fields,
  bodyText: string,
  { currency, amountMinor }: { currency: string | undefined; amountMinor: bigint | undefined },
): string | null {
  const given = fields.value('items')
  if (given === undefined) return null
  if (!Array.isArray(given)) return failed(fields, 'items must be a list')
  if (given.length > limits.items) return failed(fields, `items must have at most ${limits.items} lines`)
  if (isTooDeep(given)) return failed(fields, `items must be at most ${levelsMax} levels deep`)
  const items = exactly(given, bodyText).map((one, index) =>
    readItem(fields, one, `items[${index}]`, currency),
  )
  // Without them there is nothing to add up; their own mistakes are reported.
  if (currency === undefined || amountMinor === undefined || !items.every((item) => item !== undefined)) {
    return null
  }
  const sum = items.reduce((total, item) => total + totalOf(item), 0n)
  if (sum !== amountMinor) {
    const [is, owed] = [sum, amountMinor].map((minor) => plainAmount(minor, currency))
    return failed(fields, `items must add up to the amount: they add up to ${is}, but amount is ${owed}`)
  }
  return writeItems(items)
}

/** A number that a double would not give back as it was written is an object here (asWritten): rounded it would be another price. */
function exactly(given: unknown[], bodyText: string): unknown[] {
  const sent = memberText(bodyText, 'items')
  return needsExactNumbers(sent) ? (parseExactly(sent) as unknown[]) : given
}

function failed(fields: Fields, sentence: string): null {
  fields.failWith('items', sentence)
  return null
}

function readItem(
  fields: Fields,
  value: unknown,
  place: string,
  currency: string | undefined,
): Item | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fields.failWith('items', `${place} must be an object`)
  }
  const inner = new Fields(value)
  const name = inner.requiredText('name', { max: limits.itemName })
  if (name !== undefined && containsCardNumber(name)) inner.fail('name', cardNumberRule)
  const quantity = readQuantity(inner)
  const unitMinor = readUnitAmount(inner, currency)
  const taxRate = readTaxRate(inner)
  const taxName = inner.text('tax_name', { max: limits.taxName })
  if (taxName !== undefined && containsCardNumber(taxName)) inner.fail('tax_name', cardNumberRule)
  const broken = Object.entries(inner.errors)
  for (const [, rules] of broken) for (const rule of rules) fields.failWith('items', `${place}.${rule}`)
  fields.takeWarnings(inner, `${place}.`)
  if (broken.length > 0 || name === undefined || quantity === undefined || unitMinor === undefined) {
    return undefined
  }
  return { name, quantity, unitMinor, taxRate, taxName }
}

/** One when it is left out. A form can only send it as text. */
function readQuantity(inner: Fields): number | undefined {
  const value = inner.value('quantity') ?? 1
  const quantity = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value
  if (
    typeof quantity === 'number' &&
    Number.isInteger(quantity) &&
    quantity >= 1 &&
    quantity <= quantityMax
  ) {
    return quantity
  }
  return inner.fail('quantity', 'must be a whole number from 1 to 1,000,000')
}

/** A number as written in the text, `10.50` and `1e3` too; anything else unchanged. */
function asWritten(value: unknown): unknown {
  const text = typeof value === 'object' ? JSON.stringify(value) : ''
  return /^-?\d/.test(text) ? text : value
}

/** As an amount, and zero for what is free, and with a minus for a discount. */
function readUnitAmount(inner: Fields, currency: string | undefined): bigint | undefined {
  const value = asWritten(inner.value('unit_amount'))
  if (value === undefined) return inner.fail('unit_amount', 'is required')
  if (typeof value !== 'string' && typeof value !== 'number') {
    return inner.fail('unit_amount', 'must be a string or a number')
  }
  if (currency === undefined) return undefined
  const text = String(value)
  const size = text.replace(/^-/, '')
  if (/^0{1,9}(?:\.0{0,9})?$/.test(size)) return 0n
  const read = parseAmount(size, currency)
  if (!read.ok) return inner.failWith('unit_amount', `unit_${read.rule}`)
  return text.startsWith('-') ? -read.minor : read.minor
}

/** Percent, without zeros that say nothing: `20.00` is `20`. */
function readTaxRate(inner: Fields): string | undefined {
  const value = asWritten(inner.value('tax_rate'))
  if (value === undefined) return undefined
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,3}(?:\.\d{1,2})?$/.test(text) || Number(text) > 100) {
    return inner.fail('tax_rate', 'must be percent from 0 to 100 with at most 2 decimals, such as 20 or 5.5')
  }
  return text
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}
