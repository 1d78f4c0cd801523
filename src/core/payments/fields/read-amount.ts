import type { Fields } from '../../../platform/input/fields.ts'
import { memberText } from '../../../platform/input/json-member.ts'
import { parseAmount, plainAmount, type ParsedAmount } from '../../../platform/money/money.ts'

// The amount of a payment, a refund or a charge: `amount` in decimals, `amount_minor` in the smallest unit, or both if they
// are equal.

/** `bodyText` is the JSON text of the fields: a number counts as it was written. */
export type AmountSource = {
  readonly currency: string | undefined
  readonly bodyText: string
}

/** Undefined if neither was sent, or if one breaks a rule. Without a currency the number of decimals is unknown. */
export function readAmount(fields: Fields, source: AmountSource): bigint | undefined {
  const amount = readOne(fields, 'amount', source, parseAmount)
  const minor = readOne(fields, 'amount_minor', source, parseMinor)
  if (amount === undefined || minor === undefined || amount === minor) return amount ?? minor
  return fields.fail('amount_minor', `must be equal to amount, which is ${amount}`)
}

export function hasAmount(fields: Fields): boolean {
  return fields.value('amount') !== undefined || fields.value('amount_minor') !== undefined
}

function readOne(
  fields: Fields,
  name: string,
  { currency, bodyText }: AmountSource,
  parse: (text: string, currency: string) => ParsedAmount,
): bigint | undefined {
  const value = fields.value(name)
  if (value === undefined) return undefined
  if (typeof value !== 'string' && typeof value !== 'number')
    return fields.fail(name, 'must be a string or a number')
  if (currency === undefined) return undefined
  const read = parse(typeof value === 'string' ? value : memberText(bodyText, name), currency)
  return read.ok ? read.minor : fields.failWith(name, read.rule.replace(/^amount/, name))
}

/** As many digits as the largest amount of a currency with four decimals. */
const wholeNumber = /^(?:0|[1-9]\d{0,13})$/

function parseMinor(text: string, currency: string): ParsedAmount {
  if (!wholeNumber.test(text))
    return { ok: false, rule: 'amount must be a whole number of the smallest unit, such as 1050 for 10.50' }
  return parseAmount(plainAmount(BigInt(text), currency), currency)
}
