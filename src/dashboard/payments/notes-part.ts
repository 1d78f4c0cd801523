import { html, type Html } from '../../platform/http/html.ts'
import { noteLimits } from '../../core/payments/support/notes.ts'
import { hasRight } from '../people/rights.ts'
import type { MemberAsk } from '../ask.ts'
import { idField } from '../once.ts'
import { form, press, timeAgo, type Mistakes, shopTime } from '../parts/parts.ts'
import { section } from '../parts/things.ts'
import { paymentPath } from './filter.ts'
import type { PaymentModel } from './model.ts'

// The team's notes on a payment.

export function notesOf(ask: MemberAsk, model: PaymentModel, mistakes: Mistakes): Html | undefined {
  const { notes, names, payment } = model
  const mayWrite = hasRight(ask.place.role, 'payments.note')
  if (notes.length === 0 && !mayWrite) return undefined
  const path = paymentPath(ask, payment)
  const now = shopTime(ask)
  return section(
    'Notes',
    html`<div class="card notes">
      ${
        notes.length > 0 &&
        html`<ul>
          ${notes.map(
            ({ id, author, text, created_at }) => html`<li>
              <div class="by-whom">
                <b>${names.get(author) ?? 'Someone who has left'}</b>
                <span class="quiet small">${timeAgo(new Date(created_at), now)}</span>
                ${mayWrite && author === ask.own.person.id && press(ask, `${path}/do/take-back-note`, 'Delete', { id }, 'quiet')}
              </div>
              <p class="note">${text}</p>
            </li>`,
          )}
        </ul>`
      }
      ${mayWrite && writeForm(ask, path, model.typedNote ?? '', mistakes['note'])}
    </div>`,
  )
}

function writeForm(ask: MemberAsk, path: string, typed: string, mistake: string | undefined): Html {
  return form(
    ask,
    `${path}/do/note`,
    html`${idField(ask.fields, 'note')}
      <div class="field">
        <label for="note">Add a note</label>
        <p class="hint" id="note-hint">Only your team can see notes. Don’t enter card numbers.</p>
        <textarea
          id="note"
          name="note"
          rows="3"
          maxlength="${noteLimits.text}"
          aria-describedby="note-hint${mistake !== undefined && ' note-error'}"
          ${mistake !== undefined && html`aria-invalid="true"`}
        >${typed}</textarea>
        ${mistake !== undefined && html`<p class="error" id="note-error">${mistake}</p>`}
      </div>
      <div><button class="plain">Add note</button></div>`,
  )
}
