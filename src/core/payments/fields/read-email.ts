import type { Fields } from '../../../platform/input/fields.ts'
import { cardNumberRule, containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { limits } from '../limits.ts'

// A usual e-mail address. Unusual forms (quoted local parts, comments, bare host names) are refused: a receipt couldn't
// be sent there through most mail servers. Invisible characters are refused too; they make two addresses look the same,
// or one read backwards.
const addressShape =
  /^[^\s\p{Cf}@<>()[\],;:"\\]{1,64}@(?:[^\s\p{Cf}@<>()[\],;:"\\.]+\.)+[^\s\p{Cf}@<>()[\],;:"\\.]+$/u

/** Undefined without an address, and if it breaks a rule. */
export function readEmail(fields: Fields): string | undefined {
  const text = fields.text('email', { max: limits.email })
  if (text === undefined) return undefined
  if (!addressShape.test(text)) return fields.fail('email', 'must be one valid e-mail address')
  return containsCardNumber(text) ? fields.fail('email', cardNumberRule) : text
}
