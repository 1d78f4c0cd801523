import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import { nestFields, pathOf } from '../../../platform/input/nested-fields.ts'

// The fields of a form, in the shape that readPayment takes. The rules are the same; only names differ: the web form has
// title, description and logo on their own, and a program that sends a form writes customization[title].

const samePlace = [
  'callback_url',
  'return_url',
  'tx_ref',
  'amount',
  'amount_minor',
  'currency',
  'email',
  'first_name',
  'last_name',
  'project',
]
const shown = ['title', 'description', 'logo']
/** Read from forms, and not by readPayment. */
export const onlyInForms = [...shown, 'secret_key', 'public_key', 'form_signature', 'sealed']

/**
 * The JSON text a program would have sent. `withTitle` is false where the form's texts can't be trusted: then title,
 * description, logo and items are left out. `withExpiry` is for forms of programs: a customer's browser doesn't decide
 * how long a payment can be paid.
 */
export function formAsJson(fields: FormFields, { withTitle = true, withExpiry = false } = {}): string {
  const body: Record<string, unknown> = {}
  for (const name of withExpiry ? [...samePlace, 'expires_in'] : samePlace) {
    const value = fields.get(name)
    if (value !== undefined) body[name] = value
  }
  const customer = pick(fields, 'customer')
  if (customer.size > 0) body['customer'] = nestFields(customer)['customer']
  if (withTitle) body['customization'] = customizationOf(fields)
  const items = formItems(fields)
  const shownItems = withTitle && items !== undefined ? [`"items":${items}`] : []
  const plain = Object.entries(body).map(([name, value]) => `"${name}":${JSON.stringify(value)}`)
  return `{${[...plain, `"meta":${formMeta(fields)}`, ...shownItems].join(',')}}`
}

function customizationOf(fields: FormFields): Record<string, unknown> {
  const inBrackets = nestFields(pick(fields, 'customization'))['customization'] ?? {}
  return Object.fromEntries(
    shown.map((name) => [name, fields.get(name) ?? (inBrackets as Record<string, unknown>)[name]]),
  )
}

/** `items` as JSON text, to the digit, or as inputs named `items[0][name]`; not both, as that would be ambiguous. */
function formItems(fields: FormFields): string | undefined {
  const text = fields.get('items')?.trim() ?? ''
  const inputs = pick(fields, 'items')
  if (text === '') return inputs.size === 0 ? undefined : JSON.stringify(nestFields(inputs)['items'])
  if (inputs.size > 0 || !text.startsWith('[') || jsonOf(text) !== text)
    throw brokenRule('items', 'items must be a list as JSON text, or inputs such as items[0][name]')
  return text
}

/** `meta` as JSON text, or as `meta[key]` inputs; both together: the inputs are added to the object. */
function formMeta(fields: FormFields): string {
  const whole = jsonOf(fields.get('meta') ?? '')
  const added = metaInputs(fields)
  if (added === undefined) return whole
  if (whole === 'null' || /^(?:\{\s*\}|\[\s*\])$/.test(whole)) return added
  // A list alone is accepted; together with inputs it would be ambiguous.
  return whole.startsWith('{')
    ? `${whole.slice(0, -1)},${added.slice(1)}`
    : whole.startsWith('[')
      ? JSON.stringify(whole)
      : whole
}

/** meta is an object also when its inputs are numbered from 0 on, as those named `meta[]` are. */
function metaInputs(fields: FormFields): string | undefined {
  const inputs = pick(fields, 'meta')
  if (inputs.size === 0) return undefined
  const meta = nestFields(inputs)['meta']
  return JSON.stringify({ ...(meta as object) })
}

/** The fields inside `name`, which may also exist on its own. */
function pick(fields: FormFields, name: string): FormFields {
  return new Map([...fields].filter(([each]) => each !== name && pathOf(each)[0] === name))
}

/** Text that is JSON stays as it is, to the digit. What is not JSON is a text, which is no object, like any other. */
function jsonOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return 'null'
  try {
    JSON.parse(trimmed)
    return trimmed
  } catch {
    return JSON.stringify(text)
  }
}

/** Messages use the form's own names: `title`, not `customization.title`. */
export function inFormWords(refusal: Refusal): Refusal {
  if (refusal.code !== 'validation_failed' || !refusal.errors) return refusal
  const flat = (text: string): string => text.replace(/^customization\./, '')
  const errors = Object.fromEntries(
    Object.entries(refusal.errors).map(([name, rules]) => [flat(name), rules.map(flat)]),
  )
  return new Refusal('validation_failed', flat(refusal.message), { errors })
}
