import { Fields } from '../../../platform/input/fields.ts'
import { readReference } from '../../../platform/input/reference.ts'
import { cardNumberRule, containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { readAmount } from '../../../core/payments/fields/read-amount.ts'
import type { RefundRequest } from '../request-refund.ts'

// From what a merchant's program sent to a refund that may be asked for: every rule of every field, all mistakes at once.

export const refundLimits = { refundRef: 255, reason: 255 } as const

/** `bodyText` is what `body` was parsed from: numbers count as they were written. */
export function readRefund(body: unknown, currency: string, bodyText: string): RefundRequest {
  const fields = new Fields(body)
  const refundRef = readReference(fields, 'refund_ref', { max: refundLimits.refundRef, bodyText })
  refuseEmptyAmount(fields, body as object)
  const amountMinor = readAmount(fields, { currency, bodyText })
  const reason = readReason(fields)
  refuseUnknown(fields, body)
  fields.check()
  // check() throws when it is missing.
  return { refundRef: refundRef as string, amountMinor, reason }
}

/** A program whose amount is empty by mistake must not give everything back. */
function refuseEmptyAmount(fields: Fields, body: object): void {
  for (const name of ['amount', 'amount_minor'])
    if (Object.hasOwn(body, name) && fields.value(name) === undefined)
      fields.fail(name, 'must not be empty; leave it out to refund the rest')
}

function readReason(fields: Fields): string | undefined {
  const text = fields.text('reason', { max: refundLimits.reason })
  return text !== undefined && containsCardNumber(text) ? fields.fail('reason', cardNumberRule) : text
}

const known = ['refund_ref', 'amount', 'amount_minor', 'reason']

/** Whoever misspells amount would give everything back. */
function refuseUnknown(fields: Fields, body: unknown): void {
  for (const name of Object.keys(body as object)) {
    if (!known.includes(name)) fields.fail(name, `is not a known field, use ${known.join(', ')}`)
  }
}
