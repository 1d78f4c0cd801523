import { agreements } from '../../networks/hosted.ts'
import type { Fields } from '../../../platform/input/fields.ts'
import { memberText } from '../../../platform/input/json-member.ts'
import { cardDataRule, containsCardData } from '../../../platform/money/card-data.ts'
import { parseAmount } from '../../../platform/money/money.ts'
import { limits } from '../limits.ts'
import type { Saving } from './saving.ts'

// Whether a payment saves its method: `save`, with the merchant's name of the customer and, if they like, a limit. The
// name alone says who pays, and that they may do so with a method that they saved before.

export function readSavingRequest(
  fields: Fields,
  bodyText: string,
  currency: string | undefined,
): Saving | null {
  const asked = fields.value('save')
  if (asked === undefined) {
    // Without `save` it would be forgotten without a word.
    if (fields.value('save_limit') !== undefined)
      fields.fail('save_limit', 'needs save: recurring or unscheduled')
    const present = fields.value('customer_ref') === undefined ? undefined : readCustomerRef(fields)
    return present === undefined ? null : { customerRef: present }
  }
  const agreement = agreements.find((each) => each === asked)
  if (!agreement) fields.fail('save', `must be one of ${agreements.join(', ')}`)
  const customerRef = readCustomerRef(fields)
  const limitMinor = readLimit(fields, bodyText, currency)
  if (!agreement || customerRef === undefined) return null
  return {
    asked: { agreement, customerRef, ...(limitMinor !== undefined && { limitMinor: String(limitMinor) }) },
  }
}

export function readCustomerRef(fields: Fields): string | undefined {
  const text = fields.requiredText('customer_ref', { max: limits.customerRef })
  return text !== undefined && containsCardData(text) ? fields.fail('customer_ref', cardDataRule) : text
}

function readLimit(fields: Fields, bodyText: string, currency: string | undefined): bigint | undefined {
  const value = fields.value('save_limit')
  if (value === undefined || currency === undefined) return undefined
  if (typeof value !== 'string' && typeof value !== 'number')
    return fields.fail('save_limit', 'must be a string or a number')
  const text = typeof value === 'string' ? value : memberText(bodyText, 'save_limit')
  const read = parseAmount(text, currency)
  return read.ok ? read.minor : fields.failWith('save_limit', read.rule.replace(/\bamount\b/, 'save_limit'))
}
