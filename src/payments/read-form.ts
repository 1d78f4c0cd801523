import type { FormFields } from '../http/form-body.ts'
import { Refusal } from '../errors/refusals.ts'

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

export function formAsBody(fields: FormFields): Record<string, unknown> {
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
  const meta = formMeta(fields)
  if (meta !== undefined) body['meta'] = meta
  return body
}

/** `meta` as JSON text, or as `meta[key]` inputs; both together: the inputs are added to the object. */
function formMeta(fields: FormFields): unknown {
  const inputs = [...fields].flatMap(([name, value]): [string, string][] => {
    const key = /^meta\[([^\]]+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  const text = fields.get('meta') ?? ''
  const whole: unknown = text.trim() === '' ? undefined : parse(text)
  if (inputs.length === 0) return whole
  return { ...(typeof whole === 'object' ? whole : {}), ...Object.fromEntries(inputs) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const rule = 'meta must be empty or a JSON object'
    throw new Refusal('validation_failed', rule, { errors: { meta: [rule] } })
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
