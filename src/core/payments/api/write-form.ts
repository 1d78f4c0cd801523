import { randomBytes } from 'node:crypto'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { escape } from '../../../platform/http/html.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import type { Caller } from '../../merchants/authenticate.ts'
import { openFormSecret } from '../../merchants/form-secret.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { mayBeSigned, signForm } from './form-signature.ts'
import { formAsJson, inFormWords } from './read-form.ts'
import { readPayment } from './read-payment.ts'

// A whole web form for a merchant's page, as florin form prints it and the dashboard shows it.

/** With defaults filled in. It was checked against every rule: a mistake is reported now, and not to a customer. */
export function completeForm(holder: Caller, key: string, fields: FormFields): FormFields {
  const prefix = holder.bounds?.txRefPrefix ?? 'form-'
  const whole = new Map([
    ['secret_key', key],
    ['tx_ref', `${prefix}${randomBytes(6).toString('hex')}`],
    ['currency', 'GBP'],
    ...fields,
  ])
  const typed = new Map([['email', 'ada@example.com'], ['first_name', 'Ada'], ...whole])
  const body = formAsJson(typed)
  try {
    // The networks' currencies may change until a customer sends it; the server checks then.
    readPayment(JSON.parse(body), { ...holder, networkTakes: () => true }, body)
  } catch (error) {
    throw error instanceof Refusal ? inFormWords(error) : error
  }
  return whole
}

/** As its key wants it: signed, or as it is. */
export function signedIfNeeded(secrets: Secrets, holder: Caller, fields: FormFields): FormFields {
  const secret = openFormSecret(secrets, holder)
  return secret === undefined ? fields : new Map([...fields, ['form_signature', signForm(secret, fields)]])
}

export const customerLabels = { email: 'E-mail', first_name: 'First name', last_name: 'Last name' } as const

/** The customer's details that the form asks for. */
export function askedOfCustomer(fields: FormFields) {
  return mayBeSigned.filter((name) => !fields.has(name))
}

export function drawForm(action: string, fields: FormFields): string {
  const hidden = [...fields].map(
    ([name, value]) => `  <input type="hidden" name="${name}" value="${escape(value)}" />`,
  )
  const typed = askedOfCustomer(fields).map((name) => {
    const type = name === 'email' ? 'email' : 'text'
    const required = name === 'last_name' ? '' : ' required'
    return `  <label>${customerLabels[name]} <input type="${type}" name="${name}"${required} /></label>`
  })
  const start = `<form method="post" action="${escape(action)}" accept-charset="utf-8">`
  return [start, ...hidden, ...typed, '  <button>Pay</button>', '</form>'].join('\n')
}
