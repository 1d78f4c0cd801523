import { brokenRule } from '../../platform/errors/refusals.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import type { FeePlan } from '../../core/merchants/operator/change-fee-plan.ts'
import { readTypedAmount } from '../../platform/money/typed-amount.ts'

/** A percentage with two decimals, and a fixed fee per currency. */
export function readFees(fields: FormFields, { currencies }: Merchant): FeePlan {
  const fixed = new Map<string, bigint>()
  for (const currency of currencies.keys()) {
    const name = `fixed_${currency}`
    const text = (fields.get(name) ?? '').trim()
    const isNothing = /^0+([.,]0*)?$/.test(text)
    const parsed = isNothing ? undefined : readTypedAmount(text, currency)
    if (parsed && !parsed.ok) throw brokenRule(name, `Enter an amount in ${currency}, such as 0.20, or 0`)
    fixed.set(currency, parsed?.ok ? parsed.minor : 0n)
  }
  return { basisPoints: readShare(fields.get('share')), fixed }
}

function readShare(text = ''): number {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (!match) throw brokenRule('share', 'Enter a percentage such as 1.4, with at most two decimals')
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
