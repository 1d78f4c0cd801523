import { html, type Html } from '../../../platform/http/html.ts'
import { lastDay } from '../../../core/merchants/brand/end-of-day.ts'
import type { LinkRow } from '../find-links.ts'
import { heldMinutes } from '../make-room.ts'
import { formatMinutes } from '../../../core/merchants/times/pay-within.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { idField } from '../../../dashboard/once.ts'
import { select } from '../../../dashboard/parts/lists.ts'
import {
  crumb,
  field,
  form,
  head,
  problems,
  type Field,
  type Mistakes,
} from '../../../dashboard/parts/parts.ts'
import { linkAt, linksOf, styles } from './pages.ts'

// The forms for payment links. CSS hides what doesn't apply, so they work without a script.

type Typed = ReadonlyMap<string, string>

const nothing: Typed = new Map()

export function newLinkPage(
  ask: MemberAsk,
  currencies: readonly string[],
  typed: Typed = nothing,
  mistakes: Mistakes = {},
): Content {
  const write = (one: Field): Html =>
    field({ autocomplete: 'off', value: typed.get(one.name), ...one }, mistakes)
  const chosen = typed.get('currency') ?? (currencies.includes('GBP') ? 'GBP' : (currencies[0] ?? ''))
  return {
    title: 'New link',
    styles,
    body: html`${head('New link', { crumb: crumb(linksOf(ask), 'Links') })}
      <div class="card form link-form">
        ${problems(mistakes)}
        ${form(
          ask,
          ask.here,
          html`${idField(typed, 'lnk')} ${kindChoice(typed.get('kind') ?? 'single')} ${about(write)}
            <div class="pair">
              ${select(
                'currency',
                'Currency',
                currencies.map((code) => [code, code]),
                chosen,
              )}
              ${write({ name: 'amount', label: 'Amount' })}
            </div>
            <div class="if-reusable stack">
              <p class="hint">Leave the amount empty to let customers choose it, within these limits if you set them.</p>
              <div class="pair">
                ${write({ name: 'least', label: 'Lowest amount (optional)' })}
                ${write({ name: 'most', label: 'Highest amount (optional)' })}
              </div>
              ${stockField(write)}
            </div>
            <div class="if-single stack">
              <p class="hint">
                If you know the customer, Florin creates the payment right away, and its link works for
                ${formatMinutes(ask.place.merchant.payWithinMinutes)}. If you leave all three empty, the customer fills them in.
              </p>
              <div class="pair">
                ${write({ name: 'first_name', label: 'First name (optional)' })}
                ${write({ name: 'last_name', label: 'Last name (optional)' })}
              </div>
              ${write({ name: 'email', label: 'E-mail address (optional)', type: 'email' })}
            </div>
            ${endField(ask, write)}
            <div><button class="go">Create link</button></div>`,
        )}
      </div>`,
  }
}

function kindChoice(chosen: string): Html {
  const kinds = [
    ['single', 'One payment', 'For one customer, such as an invoice or a deposit'],
    ['reusable', 'Many payments', 'For anyone who opens it, such as on a poster or in a post'],
  ] as const
  return html`<fieldset>
    <legend>Number of payments</legend>
    ${kinds.map(
      ([value, label, hint]) => html`<label class="choice">
        <input type="radio" name="kind" value="${value}" ${value === chosen && html`checked`} />
        <span>${label}</span>
        <span class="hint">${hint}</span>
      </label>`,
    )}
  </fieldset>`
}

type Write = (one: Field) => Html

function about(write: Write): Html {
  return html`${write({ name: 'title', label: 'What it is for', hint: 'Customers see this on the checkout and the receipt.' })}
    ${write({ name: 'description', label: 'Description (optional)' })}`
}

function stockField(write: Write): Html {
  return write({
    name: 'stock',
    label: 'How many you have (optional)',
    hint: `Florin never takes more payments than this. A customer who starts one has ${heldMinutes} minutes to pay.`,
  })
}

function endField({ place }: MemberAsk, write: Write): Html {
  const { timeZone } = place.merchant.brand
  const hint = `Until the end of that day in ${timeZone.replaceAll('_', ' ')}.`
  return write({ name: 'ends_on', label: 'Last day (optional)', type: 'date', hint })
}

export function editLinkPage(ask: MemberAsk, link: LinkRow, typed?: Typed, mistakes: Mistakes = {}): Content {
  const { timeZone } = ask.place.merchant.brand
  const now: Typed = new Map([
    ['title', link.title],
    ['description', link.description ?? ''],
    ['stock', link.stock === null ? '' : String(link.stock)],
    ['ends_on', link.ends_at === null ? '' : lastDay(new Date(link.ends_at), timeZone)],
  ])
  const values = typed ?? now
  const write = (one: Field): Html =>
    field({ autocomplete: 'off', value: values.get(one.name), ...one }, mistakes)
  return {
    title: 'Edit a link',
    styles,
    body: html`${head('Edit a link', {
      crumb: crumb(linkAt(ask, link.id), link.title),
      lead: 'You can’t change the amount, because the link may be printed. Create a new link instead.',
    })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          ask.here,
          html`${about(write)} ${link.kind === 'reusable' && stockField(write)} ${endField(ask, write)}
            <div><button class="go">Save</button></div>`,
        )}
      </div>`,
  }
}
