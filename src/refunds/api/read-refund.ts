import { Fields } from '../../input/fields.ts'
import { memberText } from '../../input/json-member.ts'
import { cardNumberRule, containsCardNumber } from '../../money/card-numbers.ts'
import { parseAmount } from '../../money/money.ts'
import type { RefundRequest } from '../request-refund.ts'

// From what a merchant's program sent to a refund that may be asked for: every rule of every field, all mistakes at once.

export const refundLimits = { refundRef: 255, reason: 255 } as const

/** `bodyText` is what `body` was parsed from: numbers count as they were written. */
export function readRefund(body: unknown, currency: string, bodyText: string): RefundRequest {
  const fields = new Fields(body)
  const refundRef = readRef(fields)
  const amountMinor = readAmount(fields, currency, bodyText)
  const reason = readReason(fields)
  fields.check()
  // check() throws when it is missing.
  return { refundRef: refundRef as string, amountMinor, reason }
}

function readRef(fields: Fields): string | undefined {
  const text = fields.requiredText('refund_ref', { max: refundLimits.refundRef })
  // In an address they mean this folder and the one above, however they are encoded: no client could look them up.
  if (text === '.' || text === '..') return fields.fail('refund_ref', 'must not be . or ..')
  return text
}

function readAmount(fields: Fields, currency: string, bodyText: string): bigint | undefined {
  const value = fields.value('amount')
  if (value === undefined) return undefined
  if (typeof value !== 'string' && typeof value !== 'number')
    return fields.fail('amount', 'must be a string or a number')
  const read = parseAmount(typeof value === 'string' ? value : memberText(bodyText, 'amount'), currency)
  return read.ok ? read.minor : fields.failWith('amount', read.rule)
}

function readReason(fields: Fields): string | undefined {
  const text = fields.text('reason', { max: refundLimits.reason })
  return text !== undefined && containsCardNumber(text) ? fields.fail('reason', cardNumberRule) : text
}
