import { html, type Html } from '../../platform/http/html.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import { currencyChoices } from '../../core/merchants/taken-currencies.ts'
import type { FormRefusal } from '../../core/payments/api/form-refusals.ts'
import { askedOfCustomer, customerLabels } from '../../core/payments/api/write-form.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { signing } from '../keys/new-key-page.ts'
import { codeStyles, codeToCopy } from '../parts/code.ts'
import { emptyList, select, table } from '../parts/lists.ts'
import { field, head, problems, timeAgo, type Mistakes, shopTime } from '../parts/parts.ts'
import { section, tabs } from '../parts/things.ts'

// The form generator and the list of refused forms.

/** The form's fields, in page order. */
export const formFields = [
  'secret_key',
  'amount',
  'currency',
  'tx_ref',
  'title',
  'description',
  'return_url',
  'callback_url',
] as const

export type Made = {
  /** The form as text. */
  readonly code: string
  readonly fields: FormFields
  readonly isSigned: boolean
}

export type FormModel = {
  readonly typed: FormFields
  readonly made: Made | undefined
  readonly mistakes: Mistakes
}

function formTabs({ place }: MemberAsk, here: 'make' | 'refused'): Html {
  return tabs('Forms', [
    { label: 'Create a form', to: `${place.home}/forms`, isHere: here === 'make' },
    { label: 'Refused forms', to: `${place.home}/forms/refused`, isHere: here === 'refused' },
  ])
}

export function formsPage(ask: MemberAsk, { typed, made, mistakes }: FormModel): Content {
  const { home, merchant, mode } = ask.place
  const text = (name: string, label: string, hint?: string): Html =>
    field({ name, label, hint, autocomplete: 'off', value: typed.get(name) }, mistakes)
  const currencies = currencyChoices({ merchant, mode, networkTakes: () => true }).map(
    (one) => [one, one] as const,
  )
  const prefix = mode === 'live' ? 'fk_live_…' : 'fk_test_…'
  return {
    title: 'Forms',
    styles: [codeStyles],
    body: html`${head('Forms', { lead: 'A form on your own page that opens the checkout. No code on your server.' })}
      ${formTabs(ask, 'make')}
      <div class="halves">
        <div class="card form narrowly">
          <form class="stack" method="post" action="${home}/forms" novalidate data-live="made">
            <input type="hidden" name="token" value="${ask.token}" />
            ${text('secret_key', 'Form key', `${prefix}: anyone who opens your page can read it`)}
            ${text('amount', 'Amount', 'Such as 20.00')}
            ${select('currency', 'Currency', currencies, typed.get('currency') ?? 'GBP')}
            ${text('tx_ref', 'tx_ref', 'Leave empty for a random one')}
            ${text('title', 'Title')} ${text('description', 'Description')}
            ${text('return_url', 'return_url', 'Where customers go after paying')}
            ${text('callback_url', 'callback_url', 'Where Florin sends notifications')}
            <div class="actions">
              <button class="go">Create form</button>
              <a class="button plain" href="${home}/keys/new?kind=form">New form key</a>
            </div>
          </form>
        </div>
        <div id="made" class="stack" aria-live="polite">
          ${problems(mistakes)} ${made ? result(ask, made) : describeNext(mistakes)}
        </div>
      </div>
      <p><a href="${ask.dashboard.prefix}/docs/form">Guide to web forms</a></p>`,
  }
}

function describeNext(mistakes: Mistakes): Html | undefined {
  if (Object.keys(mistakes).length > 0) return undefined
  return emptyList(
    'Your form',
    'Enter a form key and an amount. The form appears here, as customers will see it.',
  )
}

function result(ask: MemberAsk, { code, fields, isSigned }: Made): Html {
  return html`${section('What customers see', preview(fields))}
    ${section(
      'HTML for your page',
      html`${codeToCopy('form-html', 'HTML of the form', code)}
        <p class="quiet small">
          ${
            isSigned
              ? 'This form is signed. If you change a field, sign it again.'
              : 'Customers can change any field, so check the amount before you deliver.'
          }
        </p>`,
    )}
    ${isSigned && signing(ask.dashboard.baseUrl)}`
}

/** The form without styles. It can't be submitted from here. */
function preview(fields: FormFields): Html {
  return html`<div class="preview">
    ${askedOfCustomer(fields).map(
      (name) => html`<div class="field">
        <label for="preview-${name}">${customerLabels[name]}</label>
        <input id="preview-${name}" disabled />
      </div>`,
    )}
    <div><button type="button" class="go" disabled>Pay</button></div>
  </div>`
}

export function refusedFormsPage(ask: MemberAsk, refusals: readonly FormRefusal[]): Content {
  const now = shopTime(ask)
  const { home } = ask.place
  return {
    title: 'Refused forms',
    styles: [codeStyles],
    body: html`${head('Forms', { lead: 'Why forms on your pages were refused. Only the customer saw the error.' })}
      ${formTabs(ask, 'refused')}
      ${
        refusals.length === 0
          ? emptyList('No refused forms', 'The latest 100 appear here, with the rule each one broke.')
          : table({
              label: 'Refused forms',
              rows: refusals,
              to: ({ request_id: id }) => `${home}/requests/${encodeURIComponent(id)}`,
              columns: [
                { label: 'Rule', draw: ({ message }) => message },
                { label: 'Code', draw: ({ code }) => html`<code>${code}</code>` },
                {
                  label: 'tx_ref',
                  draw: ({ tx_ref: ref }) => (ref === null ? '' : html`<code>${ref}</code>`),
                },
                { label: 'When', isFigure: true, draw: ({ created_at: at }) => timeAgo(new Date(at), now) },
              ],
            })
      }`,
  }
}
