import { brokenRule } from '../../../platform/errors/refusals.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import { plainAmount } from '../../../platform/money/money.ts'
import { readTypedAmount } from '../../../platform/money/typed-amount.ts'
import { readRefund } from '../api/read-refund.ts'
import type { RefundRequest } from '../request-refund.ts'

export type TypedRefund = RefundRequest & { readonly amountMinor: bigint }

/** Reads the refund form. An empty amount is a mistake; it never means everything. */
export function readRefundForm(fields: FormFields, refundRef: string, currency: string): TypedRefund {
  const typed = fields.get('amount')?.trim() ?? ''
  if (typed === '') throw brokenRule('amount', 'Enter an amount to refund')
  const read = readTypedAmount(typed, currency)
  if (!read.ok) throw brokenRule('amount', read.rule)
  const reason = fields.get('reason') ?? ''
  const body = {
    refund_ref: refundRef,
    amount: plainAmount(read.minor, currency),
    ...(reason.trim() !== '' && { reason }),
  }
  return { ...readRefund(body, currency, JSON.stringify(body)), amountMinor: read.minor }
}
