import { createHmac, timingSafeEqual } from 'node:crypto'
import { brokenRule } from '../../../platform/errors/refusals.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import { pathOf } from '../../../platform/input/nested-fields.ts'
import type { Authenticated } from '../../merchants/authenticate.ts'

// A signed form is vouched for by the merchant: changing its fields, or using its key for another form, breaks the
// signature. The customer's own details may be typed by the customer, so they are signed only if the form says so.

/** The merchant's fields, in signing order. The key comes first: a signature is valid for one key. */
export const signedFields = [
  'secret_key',
  'tx_ref',
  'amount',
  'currency',
  'callback_url',
  'return_url',
  'title',
  'description',
  'logo',
  'meta',
  'project',
] as const

/** Signed where the form has them: forms from before there were any keep their signatures. */
export const signedIfThere = ['items', 'amount_minor'] as const

/** Fields that `form_signed` may name, to be signed as well. */
export const mayBeSigned = ['email', 'first_name', 'last_name'] as const

const version = 'florin-form-v1'

/** Refuses a form that its key does not vouch for. `formSecret`: undefined for a key that takes forms as they are. */
export function checkSignature(formSecret: string | undefined, fields: FormFields): void {
  const given = fields.get('form_signature')?.trim() ?? ''
  if (formSecret === undefined) {
    // Whoever signs believes that a signature is looked at.
    if (given === '') return
    throw brokenRule('form_signature', "form_signature can't be used with this key: it takes unsigned forms")
  }
  if (given === '')
    throw brokenRule('form_signature', 'form_signature is required: this form key takes signed forms only')
  refuseUnsigned(fields)
  if (!isEqual(given, signForm(formSecret, fields)))
    throw brokenRule('form_signature', 'form_signature does not match the fields of this form')
}

/**
 * A stranger's text and picture would appear under the merchant's name, on a page that people trust with their cards.
 */
export function mayShowTitle({
  bounds,
  sealedFormSecret,
}: Pick<Authenticated, 'bounds' | 'sealedFormSecret'>): boolean {
  return sealedFormSecret !== undefined || bounds?.showsTitle !== false
}

/** The `form_signature` of these fields, in hex. */
export function signForm(secret: string, fields: FormFields): string {
  return createHmac('sha256', secret).update(signedText(fields)).digest('hex')
}

/**
 * A line for each field, those left out with nothing behind the =. No value has a line break of its own, so nothing can be
 * moved from one field into another.
 */
export function signedText(fields: FormFields): string {
  const there = signedIfThere.filter((name) => (fields.get(name) ?? '') !== '')
  const names = [...signedFields, ...there, 'form_signed', ...alsoSigned(fields)]
  return [version, ...names.map((name) => `${name}=${onOneLine(fields.get(name) ?? '')}`)].join('\n')
}

/** Browsers send every line break as CR LF, whatever is in the page. */
function onOneLine(value: string): string {
  return value.replaceAll('\\', '\\\\').replace(/\r\n|\r|\n/g, '\\n')
}

/** The customer's details that this form signs. */
export function alsoSigned(fields: FormFields): string[] {
  return (fields.get('form_signed') ?? '').split(/[\s,]+/).filter((name) => name !== '')
}

/** Fields that would be read but aren't signed. */
function refuseUnsigned(fields: FormFields): void {
  const odd = alsoSigned(fields).find((name) => !mayBeSigned.some((each) => each === name))
  if (odd !== undefined)
    throw brokenRule('form_signed', `form_signed may name ${mayBeSigned.join(', ')}, but names ${odd}`)
  for (const name of fields.keys()) {
    const [first, ...inner] = pathOf(name)
    if (inner.length === 0) continue
    if (first === 'meta') throw brokenRule('meta', 'meta must be JSON text in one field of a signed form')
    if (first === 'items') throw brokenRule('items', 'items must be JSON text in one field of a signed form')
    if (first === 'customer')
      throw brokenRule('customer', 'customer must be email, first_name and last_name in a signed form')
    if (first === 'customization')
      throw brokenRule('customization', 'customization must be title, description and logo in a signed form')
  }
}

function isEqual(given: string, expected: string): boolean {
  const one = Buffer.from(given.toLowerCase())
  const other = Buffer.from(expected)
  return one.length === other.length && timingSafeEqual(one, other)
}
