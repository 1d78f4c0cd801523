import type { FormFields } from '../../http/form-body.ts'
import { Refusal } from '../../errors/refusals.ts'

// The web form's flat fields, in the shape that readPayment takes. The rules are the same; only names differ.

const samePlace = [
  'callback_url',
  'return_url',
  'tx_ref',
  'amount',
  'currency',
  'email',
  'first_name',
  'last_name',
  'project',
]

/** The JSON text that a program would have sent. */
export function formAsJson(fields: FormFields): string {
  const body: Record<string, unknown> = {}
  for (const name of samePlace) {
    const value = fields.get(name)
    if (value !== undefined && value !== '') body[name] = value
  }
  body['customization'] = {
    title: fields.get('title'),
    description: fields.get('description'),
    logo: fields.get('logo'),
  }
  return `${JSON.stringify(body).slice(0, -1)},"meta":${formMeta(fields)}}`
}

/** `meta` as JSON text, or as `meta[key]` inputs; both together: the inputs are added to the object. */
function formMeta(fields: FormFields): string {
  const inputs = [...fields].flatMap(([name, value]): [string, string][] => {
    const key = /^meta\[([^\]]+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  const whole = jsonOf(fields.get('meta') ?? '')
  if (inputs.length === 0) return whole
  const added = JSON.stringify(Object.fromEntries(inputs))
  if (whole === 'null' || /^\{\s*\}$/.test(whole)) return added
  return whole.startsWith('{') ? `${whole.slice(0, -1)},${added.slice(1)}` : whole
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

/** The form's own names in what is told: `title`, not `customization.title`. */
export function inFormWords(refusal: Refusal): Refusal {
  if (refusal.code !== 'validation_failed' || !refusal.errors) return refusal
  const flat = (text: string): string => text.replace(/^customization\./, '')
  const errors = Object.fromEntries(
    Object.entries(refusal.errors).map(([name, rules]) => [flat(name), rules.map(flat)]),
  )
  return new Refusal('validation_failed', flat(refusal.message), { errors })
}
