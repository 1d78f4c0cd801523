import { html, type Html } from '../../platform/http/html.ts'
import { displayAmount } from '../../platform/money/money.ts'
import type { Field } from './parts.ts'
import { field } from './parts.ts'

// Parts of list pages: filters (in the URL), a table with linked rows, paging.

export type Column<Row> = {
  readonly label: string
  /** The first column links to the row's page. */
  readonly draw: (row: Row) => Html | string
  /** Right-aligned. */
  readonly isFigure?: boolean
}

export type Table<Row> = {
  /** For screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** The link of a row. The whole row is clickable. */
  readonly to?: (row: Row) => string
  /** The last row: a cell for each column. */
  readonly sum?: readonly (Html | string)[]
}

export function table<Row>({ label, columns, rows, to, sum }: Table<Row>): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
    <table class="stacked ${to && 'linked'}">
      <thead>
        <tr>
          ${columns.map((one) => html`<th scope="col" class="${one.isFigure && 'figure'}">${one.label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => html`<tr>${columns.map((column, place) => cell(row, column, place === 0 ? to : undefined))}</tr>`)}
      </tbody>
      ${sum && html`<tfoot><tr>${columns.map((one, place) => cell(sum[place] ?? '', { ...one, draw: (shown) => shown }, undefined))}</tr></tfoot>`}
    </table>
  </div>`
}

function cell<Row>(row: Row, { label, draw, isFigure }: Column<Row>, to: Table<Row>['to']): Html {
  const shown = draw(row)
  return html`<td class="${isFigure && 'figure'} ${shown === '' && 'nothing'}" data-label="${label}">
    ${to ? html`<a class="row" href="${to(row)}">${shown}</a>` : shown}
  </td>`
}

export type Choice = readonly [value: string, label: string]

export type Filter =
  | (Field & { readonly choices?: undefined })
  | {
      readonly name: string
      readonly label: string
      readonly value: string
      readonly choices: readonly Choice[]
    }

/** Filters go into the URL, so people can bookmark or share a list. */
export function filters(path: string, given: readonly Filter[], isFiltered: boolean): Html {
  return html`<form class="filters" method="get" action="${path}" role="search" data-saves>
    ${given.map((one) => (one.choices ? select(one.name, one.label, one.choices, one.value) : field(one, {})))}
    <div class="actions">
      <button class="plain">Show</button>
      ${isFiltered && html`<a class="button quiet" href="${path}">Clear</a>`}
    </div>
  </form>`
}

export function select(
  name: string,
  label: string,
  choices: readonly Choice[],
  chosen: string,
  hint?: string,
): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <select id="${name}" name="${name}" ${hint !== undefined && html`aria-describedby="${name}-hint"`}>
      ${choices.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`
}

/** Links to older rows and back to the newest. Undefined: no such page. */
export function pager(newest: string | undefined, older: string | undefined): Html | undefined {
  if (newest === undefined && older === undefined) return undefined
  return html`<nav class="actions" aria-label="Further pages">
    ${newest !== undefined && html`<a class="button plain" href="${newest}">Newest</a>`}
    ${older !== undefined && html`<a class="button plain" href="${older}">Older</a>`}
  </nav>`
}

/** An empty list teaches the next step. */
export function emptyList(title: string, sentence: string, action?: Html): Html {
  return html`<div class="card empty">
    <h2>${title}</h2>
    <p class="quiet">${sentence}</p>
    ${action}
  </div>`
}

/** A path with a query; empty values are left out. */
export function addressOf(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const kept = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  )
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept).toString()}`
}

/** Text cut off by CSS, whole in the tooltip. `to`: a link. */
export function shortened(text: string, to?: string): Html {
  return to === undefined
    ? html`<span class="short" title="${text}">${text}</span>`
    : html`<a class="short" title="${text}" href="${to}">${text}</a>`
}

export function amount(minor: bigint, currency: string): Html {
  return html`<span class="figures">${displayAmount(minor, currency, 'en-GB')}</span>`
}

export type Tone = 'good' | 'warn' | 'bad' | 'calm'

/** A word and a shape, never colour alone. */
export function pill(word: string, tone: Tone = 'calm'): Html {
  return html`<span class="pill ${tone !== 'calm' && tone}">${word}</span>`
}

const tones: Readonly<Record<string, Tone>> = {
  success: 'good',
  succeeded: 'good',
  delivered: 'good',
  won: 'good',
  failed: 'bad',
  lost: 'bad',
  reversed: 'bad',
  paused: 'warn',
  disputed: 'warn',
  unknown: 'warn',
  opened: 'warn',
}

/** The state of a payment, refund, dispute or delivery. */
export function statePill(state: string): Html {
  return pill(state.replaceAll('_', ' '), tones[state] ?? 'calm')
}

/** `kept` in the API: mail of test mode is in the mailbox, and a notification without a URL goes nowhere. */
export function deliveryWord({ kind, state }: { readonly kind: string; readonly state: string }): string {
  if (state !== 'kept') return state
  return kind === 'mail' ? 'in the mailbox' : 'not sent'
}

export function deliveryPill(delivery: { readonly kind: string; readonly state: string }): Html {
  return pill(deliveryWord(delivery), tones[delivery.state] ?? 'calm')
}
