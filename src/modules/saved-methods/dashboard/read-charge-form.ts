import { brokenRule } from '../../../platform/errors/refusals.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import type { Mode } from '../../../core/merchants/mode.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import { plainAmount } from '../../../platform/money/money.ts'
import { readTypedAmount } from '../../../platform/money/typed-amount.ts'
import { readCharge } from '../api/read-charge.ts'
import type { ChargeRequest } from '../charge-method.ts'

/** Reads the form, with the amount as people type it, by the rules of the API. */
export function readChargeForm(fields: FormFields, mode: Mode): ChargeRequest {
  const currency = fields.get('currency') ?? ''
  if (!isCurrency(currency)) throw brokenRule('currency', 'Choose a currency')
  const typed = fields.get('amount')?.trim() ?? ''
  if (typed === '') throw brokenRule('amount', 'Enter an amount')
  const read = readTypedAmount(typed, currency)
  if (!read.ok) throw brokenRule('amount', read.rule)
  const body = {
    tx_ref: fields.get('tx_ref') ?? '',
    amount: plainAmount(read.minor, currency),
    currency,
    description: fields.get('description') ?? '',
    email_customer: fields.has('email_customer'),
  }
  return readCharge(body, mode, JSON.stringify(body))
}
