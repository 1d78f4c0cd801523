import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import { containsCardNumber } from '../../../platform/money/card-numbers.ts'
import { lockPayment, type PaymentKey } from '../store.ts'
import { countNotes, deleteNote, insertNote, listNotes } from './note-store.ts'

// The team's notes on a payment. A note is added, or withdrawn by its author; never changed.

export const noteLimits = { text: 2_000, ofPayment: 100 } as const

/** `by` is a person, who may send it twice. The text is in the note and not in the audit log. */
export async function addNote(
  db: Database,
  key: PaymentKey,
  { id, typed }: { readonly id: string; readonly typed: string },
  by: Actor,
): Promise<void> {
  const text = readNote(typed)
  await inTransaction(db, async (tx) => {
    const payment = await lockPayment(tx, key)
    if (!payment) throw new Refusal('not_found', 'Transaction not found')
    if ((await listNotes(tx, key)).some((note) => note.id === id)) return
    if ((await countNotes(tx, key)) >= noteLimits.ofPayment)
      throw brokenRule('note', `A payment can have ${noteLimits.ofPayment} notes. Delete one of yours first`)
    await insertNote(tx, key, { id, author: by.name, text })
    await recordAct(tx, key.merchantId, by, {
      action: 'payment.note_added',
      subject: payment.tx_ref,
      after: { mode: payment.mode, note: id },
    })
  })
}

/** Another's note is one that does not exist. */
export async function takeBackNote(db: Database, key: PaymentKey, id: string, by: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const payment = await lockPayment(tx, key)
    if (!payment || !(await deleteNote(tx, key, { id, author: by.name })))
      throw new Refusal('not_found', 'Note not found')
    await recordAct(tx, key.merchantId, by, {
      action: 'payment.note_deleted',
      subject: payment.tx_ref,
      before: { mode: payment.mode, note: id },
    })
  })
}

function readNote(typed: string): string {
  const text = typed.replaceAll('\r\n', '\n').trim()
  if (text === '') throw brokenRule('note', 'Write something first')
  if ([...text].length > noteLimits.text)
    throw brokenRule('note', `A note can have ${noteLimits.text.toLocaleString('en')} characters`)
  if (/[^\P{Cc}\n\t]/u.test(text) || !text.isWellFormed())
    throw brokenRule('note', 'The note contains invalid characters')
  if (containsCardNumber(text))
    throw brokenRule('note', "Don't write card numbers here: the last four digits are enough")
  return text
}
