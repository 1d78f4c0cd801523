import { html, type Html } from '../../platform/http/html.ts'
import { timeAgo, type ShopTime } from './parts.ts'

// Parts of detail pages: facts, timeline, copyable text.

export type Fact = readonly [label: string, value: Html | string | undefined]

/** Label and value pairs. Undefined values are left out. */
export function facts(given: readonly Fact[]): Html {
  const shown = given.filter(([, value]) => value !== undefined)
  return html`<dl class="pairs">
    ${shown.map(
      ([label, value]) => html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`,
    )}
  </dl>`
}

/** A section with a heading and an optional action. */
export function section(title: string, content: Html, action?: Html): Html {
  return html`<section class="part">
    <div class="head"><h2>${title}</h2>${action}</div>
    ${content}
  </section>`
}

export type Happening = {
  readonly at: Date
  readonly title: Html | string
  readonly tone?: 'good' | 'warn' | 'bad'
  readonly detail?: Html | string | undefined
}

/** A happening by its time as PostgreSQL writes it, so that microseconds decide the order. */
export type Dated = Omit<Happening, 'at'> & {
  readonly at: string
  /** Its place in the order, if that differs from its time. */
  readonly after?: string
}

/** Events in the caller's order. */
export function timeline(happenings: readonly Happening[], now: ShopTime): Html {
  return html`<ol class="timeline">
    ${happenings.map(
      ({ at, title, tone, detail }) => html`<li class="${tone}">
        <div><b>${title}</b> <span class="quiet small">${timeAgo(at, now)}</span></div>
        ${detail !== undefined && html`<div class="quiet">${detail}</div>`}
      </li>`,
    )}
  </ol>`
}

/** Text with a copy button. Without a script, people select it. */
export function copyable(text: string, label: string): Html {
  return html`<div class="copyable">
    <input class="mono" readonly value="${text}" aria-label="${label}" />
    <button type="button" class="plain" data-copy hidden>Copy</button>
  </div>`
}

export type Tab = { readonly label: string; readonly to: string; readonly isHere: boolean }

export function tabs(label: string, given: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${given.map((one) => html`<a href="${one.to}" ${one.isHere && html`aria-current="page"`}>${one.label}</a>`)}
  </nav>`
}

/** Code in a scrolling box. */
export function codeBox(text: string, label: string): Html {
  return html`<pre class="command" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
}

/** Without customers there is no page to lead to. */
export function customerLink(email: string, path: string | undefined): Html | string {
  return path === undefined ? email : html`<a href="${path}">${email}</a>`
}
