import { html, type Html } from '../../platform/http/html.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import type { FreshKey } from '../../core/merchants/change-keys.ts'
import type { KeyKind } from '../../core/merchants/key-format.ts'
import { currencyChoices } from '../../core/merchants/taken-currencies.ts'
import { readSnippets, withKey, clientLanguages } from '../../guide/snippets/read-snippets.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { idField } from '../once.ts'
import { codeInLanguages, codeStyles } from '../parts/code.ts'
import { select } from '../parts/lists.ts'
import { crumb, field, form, head, press, problems, type Mistakes } from '../parts/parts.ts'
import { dialectNames } from './keys-page.ts'
import { copyable, section, tabs } from '../parts/things.ts'

// The new-key form, and the one page that shows the key.

const kinds: readonly (readonly [KeyKind, string, string])[] = [
  ['secret', 'Secret key', 'For your server. It can do anything with payments, so keep it secret.'],
  ['form', 'Form key', 'For a form on your page, where anyone can read it. It can only start payments.'],
  [
    'api',
    'Projects key',
    'For the projects API. Works in both modes: projects are the same in test and live.',
  ],
]

export function newKeyPage(
  ask: MemberAsk,
  kind: KeyKind,
  typed: FormFields = new Map(),
  mistakes: Mistakes = {},
): Content {
  const path = `${ask.place.home}/keys/new`
  const [, , meaning] = kinds.find(([one]) => one === kind) ?? []
  return {
    title: 'New key',
    styles: [codeStyles],
    body: html`${head('New key', { crumb: crumb(`${ask.place.home}/keys`, 'Keys') })}
      ${tabs(
        'Kind of key',
        kinds.map(([one, label]) => ({ label, to: `${path}?kind=${one}`, isHere: one === kind })),
      )}
      <div class="card form">
        ${problems(mistakes)}
        <p class="quiet">${meaning}</p>
        ${form(
          ask,
          path,
          html`${idField(typed, 'key')}<input type="hidden" name="kind" value="${kind}" />
            ${field(
              {
                name: 'name',
                label: 'Name',
                hint: 'Where you use it, such as “web server” or “till 2”',
                autocomplete: 'off',
                value: typed.get('name'),
              },
              mistakes,
            )}
            ${kind === 'secret' && mayRefund(typed)} ${kind === 'form' && bounds(ask, typed, mistakes)}
            ${kind !== 'api' && dialectChoice(ask, typed)}
            <div><button class="go">Create key</button></div>`,
        )}
      </div>`,
  }
}

function mayRefund(typed: FormFields): Html {
  const isOff = typed.get('refunds') === 'no'
  return html`<fieldset>
    <legend>Permissions</legend>
    ${choice('refunds', 'yes', !isOff, 'Everything', 'Create, look up, cancel and refund payments')}
    ${choice('refunds', 'no', isOff, 'Everything but refunds', 'If it leaks, it can’t be used to send money back')}
  </fieldset>`
}

function dialectChoice({ dashboard }: MemberAsk, typed: FormFields): Html {
  const isFamily = typed.get('dialect') === 'family'
  return html`<fieldset>
    <legend>Who uses it</legend>
    ${choice('dialect', 'florin', !isFamily, 'Your own program, or a plugin written for Florin', 'Works as the guide for developers says')}
    ${choice('dialect', 'family', isFamily, dialectNames.family, 'Answers, returns and notifications are what such a plugin expects')}
    <p><a href="${dashboard.prefix}/docs/moving">How to move a plugin to Florin</a></p>
  </fieldset>`
}

function choice(name: string, value: string, isChosen: boolean, label: string, hint: string): Html {
  return html`<label class="choice">
    <input type="radio" name="${name}" value="${value}" ${isChosen && html`checked`} />
    <span>${label}</span>
    <span class="hint">${hint}</span>
  </label>`
}

function bounds(ask: MemberAsk, typed: FormFields, mistakes: Mistakes): Html {
  const text = (name: string, label: string, hint?: string): Html =>
    field({ name, label, hint, autocomplete: 'off', value: typed.get(name) }, mistakes)
  const currencies = currencyChoices({ ...ask.place, networkTakes: () => true })
  const chosen = typed.get('currency') ?? ''
  return html`${text('hosts', 'Hosts of your pages', 'Where customers can return to, such as shop.example.com')}
    ${text('callback_hosts', 'Hosts of your receiver', 'Where notifications can go. Leave empty for the same hosts')}
    ${text('tx_ref_prefix', 'tx_ref prefix', 'So a form can’t use one of your server’s references')}
    ${select('currency', 'Currency', [['', 'Any'], ...currencies.map((one) => [one, one] as const)], chosen)}
    ${text('min', 'Smallest amount')} ${text('max', 'Largest amount')}
    <fieldset>
      <legend>Forms</legend>
      ${choice('signed', 'no', typed.get('signed') !== 'yes', 'Unsigned', 'Customers can change the fields, so check the amount before you deliver')}
      ${choice('signed', 'yes', typed.get('signed') === 'yes', 'Signed only', 'Your server signs each form, so customers can’t change the amount')}
    </fieldset>
    <label class="switch">
      <input type="checkbox" name="title" value="yes" ${typed.get('title') === 'yes' && html`checked`} />
      <span>Show title, description and logo</span>
      <span class="hint">In unsigned forms, anyone could change these words. Signed forms always show them.</span>
    </label>`
}

export type Shown = { readonly kind: KeyKind; readonly fresh: FreshKey; readonly name: string }

/** Shown once: Florin stores only a hash of the key. */
export function freshKeyPage(ask: MemberAsk, { kind, fresh, name }: Shown): Content {
  const { home, mode } = ask.place
  const { prefix, baseUrl } = ask.dashboard
  const isForm = kind === 'form'
  return {
    title: name,
    styles: [codeStyles],
    body: html`${head(name, {
      crumb: crumb(`${home}/keys`, 'Keys'),
      lead: 'Copy it now. You won’t see it again: Florin stores only a hash.',
    })}
      <div class="card stack once">
        <div class="field"><h2>${isForm ? 'Form key' : 'Key'}</h2>${copyable(fresh.key, 'Key')}</div>
        ${
          fresh.formSecret !== undefined &&
          html`<div class="field">
            <h2>Form secret</h2>
            <p class="hint">Your server signs forms with it. Never put it in a page.</p>
            ${copyable(fresh.formSecret, 'Form secret')}
          </div>`
        }
        <div class="actions">
          ${isForm && press(ask, `${home}/forms`, 'Build a form with it', { secret_key: fresh.key }, 'go')}
          <a class="button plain" href="${home}/keys">Done</a>
        </div>
      </div>
      ${fresh.formSecret !== undefined && signing(baseUrl)}
      ${kind === 'secret' && mode === 'test' && firstCall(ask, fresh.key)}
      <p><a href="${prefix}/docs${isForm ? '/form' : ''}">Guide for developers</a></p>`,
  }
}

function firstCall(ask: MemberAsk, key: string): Html {
  const { baseUrl } = ask.dashboard
  return section(
    'Create a payment with it',
    html`<p class="quiet">
        Ready to run: it returns the payment link for your customer. On your server, read the key from the environment
        instead.
      </p>
      ${codeInLanguages('first-call', 'Create a payment', withKey(readSnippets('create', baseUrl), key))}`,
  )
}

export function signing(baseUrl: string): Html {
  return section(
    'Sign a form',
    codeInLanguages(
      'sign-form',
      'Sign a form',
      readSnippets('forms/sign', baseUrl, ['curl', 'Ruby', 'Go', ...clientLanguages]),
    ),
  )
}
