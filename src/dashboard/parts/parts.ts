import { html, type Html } from '../../platform/http/html.ts'
import type { FieldErrors } from '../../platform/errors/refusals.ts'
import type { Ask, Place } from '../ask.ts'

// Parts shared by all pages.

/** Mistakes in a form, by field. */
export type Mistakes = Readonly<Record<string, string>>

export const noMistakes: Mistakes = {}

export function mistakesOf(errors: FieldErrors | undefined): Mistakes {
  return Object.fromEntries(Object.entries(errors ?? {}).map(([name, [first = '']]) => [name, first]))
}

/** A POST form with its CSRF token. */
export function form(
  ask: Pick<Ask, 'token'>,
  action: string,
  content: Html,
  kind = 'stack',
  more?: Html,
): Html {
  return html`<form class="${kind}" method="post" action="${action}" novalidate ${more}>
    <input type="hidden" name="token" value="${ask.token}" />
    ${content}
  </form>`
}

/** A form that is one button. */
export function press(
  ask: Ask,
  action: string,
  label: string,
  fields: Record<string, string> = {},
  kind = 'plain',
) {
  return form(
    ask,
    action,
    html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button class="${kind}">${label}</button>`,
    'press',
  )
}

export type Field = {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'date'
  readonly autocomplete?: string
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly isCode?: boolean
  readonly inputmode?: 'numeric'
  readonly isFirst?: boolean
}

export function field(one: Field, mistakes: Mistakes): Html {
  const { name, label, type = 'text', value = '', hint } = one
  const mistake = mistakes[name]
  const described = [hint === undefined ? '' : `${name}-hint`, mistake === undefined ? '' : `${name}-error`]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      ${one.autocomplete !== undefined && html`autocomplete="${one.autocomplete}"`}
      ${one.isCode && html`class="code" autocapitalize="none" spellcheck="false"`}
      ${type === 'email' && html`autocapitalize="none" spellcheck="false"`}
      ${one.inputmode && html`inputmode="${one.inputmode}"`}
      ${one.isFirst && html`autofocus`}
      value="${type === 'password' ? '' : value}"
      ${mistake !== undefined && html`aria-invalid="true"`}
      ${described.some(Boolean) && html`aria-describedby="${described.filter(Boolean).join(' ')}"`}
    />
    ${mistake !== undefined && html`<p class="error" id="${name}-error">${mistake}</p>`}
  </div>`
}

/** The summary above a form, with a link to each field. */
export function problems(mistakes: Mistakes): Html | undefined {
  const all = Object.entries(mistakes)
  if (all.length === 0) return undefined
  return html`<div class="problem" role="alert">
    <h2>That didn’t work</h2>
    <ul>
      ${all.map(([name, sentence]) =>
        name === 'form' ? html`<li>${sentence}</li>` : html`<li><a href="#${name}">${sentence}</a></li>`,
      )}
    </ul>
  </div>`
}

export function head(title: string, options: { crumb?: Html; lead?: string; action?: Html } = {}): Html {
  return html`<div class="head">
    <div>
      ${options.crumb}
      <h1>${title}</h1>
      ${options.lead !== undefined && html`<p class="quiet">${options.lead}</p>`}
    </div>
    ${options.action}
  </div>`
}

export function crumb(to: string, label: string): Html {
  return html`<a class="crumb" href="${to}">← ${label}</a>`
}

type PasskeyForm = {
  readonly action: string
  readonly options: string
  readonly label: string
  readonly next?: string
}

/** Hidden until the script finds that the browser supports passkeys. */
export function passkeyForm(ask: Ask, given: PasskeyForm, isNew = false, more?: Html): Html {
  return html`<form
    class="stack"
    method="post"
    action="${given.action}"
    data-passkey="${isNew ? 'new' : 'known'}"
    data-options="${given.options}"
    hidden
  >
    <input type="hidden" name="token" value="${ask.token}" />
    <input type="hidden" name="answer" />
    ${given.next !== undefined && html`<input type="hidden" name="next" value="${given.next}" />`} ${more}
    <button class="${isNew ? 'go' : 'plain wide'}">${given.label}</button>
    <p class="error" role="alert"></p>
  </form>`
}

/** The current time, with the time zone that times are shown in: the shop's, or UTC on pages without a shop. */
export type ShopTime = Date & { readonly timeZone: string }

export function shopTime(ask: Pick<Ask, 'core'> & { readonly place?: Pick<Place, 'merchant'> }): ShopTime {
  return inZone(ask.core.now(), ask.place?.merchant.brand.timeZone ?? 'UTC')
}

export function inZone(at: Date, timeZone: string): ShopTime {
  return Object.assign(new Date(at), { timeZone })
}

type Formats = { readonly day: Intl.DateTimeFormat; readonly clock: Intl.DateTimeFormat }

/** Making a format takes longer than using it a hundred times. */
const formats = new Map<string, Formats>()

function formatsOf(timeZone: string): Formats {
  const known = formats.get(timeZone)
  if (known) return known
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
  const made = {
    day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }),
    clock: new Intl.DateTimeFormat('en-GB', { ...time, timeZone }),
  }
  formats.set(timeZone, made)
  return made
}

/** “15 November 2026, 14:05 CET”, in the time zone of `now`. */
export function formatExactly(at: Date, { timeZone }: ShopTime): string {
  const { day, clock } = formatsOf(timeZone)
  return `${day.format(at)}, ${clock.format(at)}`
}

/** “5 minutes ago”, with the exact time as a tooltip. */
export function timeAgo(at: Date, now: ShopTime): Html {
  return html`<time datetime="${at.toISOString()}" title="${formatExactly(at, now)}">${formatAgo(at, now)}</time>`
}

function formatAgo(at: Date, now: ShopTime): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  return formatsOf(now.timeZone).day.format(at)
}
