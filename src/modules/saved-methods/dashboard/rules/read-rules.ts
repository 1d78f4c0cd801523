import { brokenRule } from '../../../../platform/errors/refusals.ts'
import type { FormFields } from '../../../../platform/input/form-fields.ts'
import { isCurrency } from '../../../../platform/money/currencies.ts'
import { readTypedAmount } from '../../../../platform/money/typed-amount.ts'
import type { DayCeilings, RulesChange } from '../../rules.ts'

// Reads the form with the brakes on charges of saved methods.

/** The row for a currency that has no row of its own yet. */
export const other = 'other'

export const methodField = (currency: string): string => `method_${currency}`
export const allField = (currency: string): string => `all_${currency}`

/** An empty field takes its ceiling away. Currencies without fields keep theirs. */
export function readRules(fields: FormFields, currencies: readonly string[]): RulesChange {
  const charges = fields.get('charges')
  const ceilings = new Map<string, DayCeilings>()
  for (const currency of currencies)
    if (fields.has(methodField(currency)) || fields.has(allField(currency)))
      ceilings.set(currency, readRow(fields, currency, currency))
  const added = fields.get(`${other}_currency`) ?? ''
  if (added !== '') {
    if (!isCurrency(added)) throw brokenRule(`${other}_currency`, 'Choose a currency')
    ceilings.set(added, readRow(fields, other, added))
  } else if (isTyped(fields, methodField(other)) || isTyped(fields, allField(other))) {
    throw brokenRule(`${other}_currency`, 'Choose the currency of this ceiling')
  }
  return {
    ...((charges === 'stopped' || charges === 'allowed') && { isStopped: charges === 'stopped' }),
    ceilings,
  }
}

function isTyped(fields: FormFields, name: string): boolean {
  return (fields.get(name) ?? '').trim() !== ''
}

function readRow(fields: FormFields, row: string, currency: string): DayCeilings {
  return {
    methodMinor: readCeiling(fields, methodField(row), currency),
    allMinor: readCeiling(fields, allField(row), currency),
  }
}

function readCeiling(fields: FormFields, name: string, currency: string): bigint | undefined {
  if (!isTyped(fields, name)) return undefined
  const read = readTypedAmount(fields.get(name) ?? '', currency)
  if (!read.ok) throw brokenRule(name, `Enter an amount in ${currency}, such as 500, or leave it empty`)
  return read.minor
}
