import type { Database } from '../../../platform/database/database.ts'
import {
  erasedEmail,
  erasedName,
  redactJson,
  redactUrl,
  type Redact,
} from '../../../platform/input/erased.ts'
import { forgetPictures } from '../../merchants/pictures/pictures.ts'
import type { FindCustomer, PersonalRows } from '../../privacy/personal-rows.ts'
import type { Reworded } from '../slots/reworded.ts'
import { listNotesOf, replaceNote } from '../support/note-store.ts'
import {
  findByEmail,
  findNamedBefore,
  forgetTraces,
  listRefusedForms,
  listTexts,
  readAttempts,
  readPayments,
  replacePersons,
  replaceRefusedForm,
  type RefusedForm,
} from './personal-store.ts'

// The customer. The merchant's own references (tx_ref, reference) stay: amounts are found by them.

export const findCustomer: FindCustomer = async (db, of) =>
  // No address: payments of many customers.
  of.email === '' || of.email.toLowerCase() === erasedEmail ? [] : findByEmail(db, of)

/** Old payments that still say who paid, the oldest first. */
export async function findNamedPayments(
  db: Database,
  of: { readonly merchantId: number; readonly before: Date; readonly max: number },
): ReturnType<typeof findNamedBefore> {
  const [live, test] = await Promise.all(
    (['live', 'test'] as const).map(async (mode) =>
      findNamedBefore(db, { ...of, mode, erased: erasedEmail }),
    ),
  )
  return [...(live ?? []), ...(test ?? [])]
}

export const personalPayments = (reworded?: Reworded): PersonalRows => ({
  what: 'payments',
  read: async (db, { merchantId, numbers }) => readPayments(db, merchantId, numbers),
  async erase(tx, { merchantId, numbers, redact }) {
    const texts = await listTexts(tx, merchantId, numbers)
    const inUrl: Redact = (url) => redactUrl(url, redact)
    const replaced = texts.map(({ number, items, ...others }) => ({
      number,
      items: items === null ? null : redactJson(items, redact),
      callback_url: orNull(others.callback_url, inUrl),
      return_url: orNull(others.return_url, inUrl),
      logo: orNull(others.logo, inUrl),
      title: orNull(others.title, redact),
      description: orNull(others.description, redact),
      invoice_number: orNull(others.invoice_number, redact),
    }))
    const count = await replacePersons(tx, merchantId, replaced, { email: erasedEmail, name: erasedName })
    const logos = texts.flatMap(({ logo }) => (logo === null || inUrl(logo) === logo ? [] : [logo]))
    await forgetPictures(tx, merchantId, logos)
    await reworded?.(tx, merchantId, numbers)
    return count
  },
})

/** The team's notes on their payments. */
export const personalNotes: PersonalRows = {
  what: 'notes',
  read: async (db, { merchantId, numbers }) => listNotesOf(db, merchantId, numbers),
  async erase(tx, { merchantId, numbers, redact }) {
    const notes = await listNotesOf(tx, merchantId, numbers)
    for (const { number, id, text } of notes) await replaceNote(tx, { merchantId, number, id }, redact(text))
    return notes.length
  },
}

export const personalAttempts: PersonalRows = {
  what: 'attempts',
  read: async (db, { merchantId, numbers }) => readAttempts(db, merchantId, numbers),
  erase: async (tx, { merchantId, numbers }) => forgetTraces(tx, merchantId, numbers),
}

export const personalRefusedForms: PersonalRows = {
  what: 'refused_forms',
  async read(db, { merchantId, redactStrictly }) {
    const forms = await listRefusedForms(db, merchantId)
    return forms.filter((form) => redacted(form, redactStrictly) !== undefined)
  },
  async erase(tx, { merchantId, redactStrictly }) {
    const forms = await listRefusedForms(tx, merchantId)
    const changed = forms.map((form) => redacted(form, redactStrictly)).filter((form) => form !== undefined)
    for (const form of changed) await replaceRefusedForm(tx, merchantId, form)
    return changed.length
  },
}

/** Undefined when it is not about this customer. */
function redacted(form: RefusedForm, redact: Redact): RefusedForm | undefined {
  const message = redact(form.message)
  const errors = form.errors === null ? null : redactJson(form.errors, redact)
  const isSame =
    message === form.message && (errors === null || errors === redactJson(form.errors ?? '', String))
  return isSame ? undefined : { ...form, message, errors }
}

function orNull(text: string | null, redact: Redact): string | null {
  return text === null ? null : redact(text)
}
