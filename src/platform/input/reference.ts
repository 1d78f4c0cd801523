import type { Fields } from './fields.ts'
import { memberText } from './json-member.ts'

/**
 * A merchant's own name for a thing: text, or a whole number, which counts digit by digit as it was written, since a
 * double would round an order number beyond 2^53. Required. `bodyText` is what the fields were parsed from.
 */
export function readReference(
  fields: Fields,
  name: string,
  limit: { readonly max: number; readonly bodyText: string },
): string | undefined {
  if (typeof fields.value(name) === 'number') return readWholeNumber(fields, name, limit)
  const text = fields.requiredText(name, limit)
  // In an address they mean this folder and the one above, however they are encoded: no client could look them up.
  if (text === '.' || text === '..') return fields.fail(name, 'must not be . or ..')
  return text
}

function readWholeNumber(
  fields: Fields,
  name: string,
  { max, bodyText }: { readonly max: number; readonly bodyText: string },
): string | undefined {
  const written = memberText(bodyText, name)
  if (!/^-?[0-9]+$/.test(written)) return fields.fail(name, 'must be a string or a whole number')
  return written.length <= max ? written : fields.fail(name, `must be at most ${max} characters`)
}
