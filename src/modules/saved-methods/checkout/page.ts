import { html, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { plainText } from '../../../platform/input/isolate.ts'
import { methodIdOf, readSaving } from '../../../core/payments/saving/saving.ts'
import type { MethodView } from '../customer/view-method.ts'
import { displayDay, displayMoney, displayTime, fill } from '../../../core/checkout/language.ts'
import { addressOf, fillIn, type PageModel } from '../../../core/checkout/page-model.ts'
import { bannerOf, frame } from '../../../core/checkout/parts/frame.ts'
import { mark } from '../../../core/checkout/parts/marks.ts'
import { savedMethodWords, type SavedMethodWords } from '../words/saved-methods.ts'
import { nameMethod } from './name-method.ts'

// The customer's page for a saved method: what was agreed, what was charged, and how to end it. It needs no script.

export const methodPath = '/saved-method'
export const endPath = '/saved-method/end'

/** On a receipt. In a new tab where the receipt is inside the shop's own page: nothing is ended in a frame. */
export function methodLink(model: PageModel): Html | false {
  if (methodIdOf(model.view.payment) === undefined) return false
  return html`<p class="small method-link">
    <a href="${addressOf(model, methodPath)}" ${model.embed && html`target="_blank" rel="noopener"`}>${savedMethodWords[model.language.code].link}</a>
  </p>`
}

export function methodPage(model: PageModel, view: MethodView): Page {
  const words = savedMethodWords[model.language.code]
  const isEnded = view.method.ended_at !== null
  const title = isEnded ? words.endedTitle : words.title
  return frame(model, {
    title,
    ...bannerOf(model),
    isOver: true,
    home: addressOf(model, methodPath),
    content: html`<section class="card sheet" aria-labelledby="method">
      ${isEnded && mark('dash', 'calm')}
      <h1 id="method">${title}</h1>
      ${isEnded ? ended(model, view, words) : agreed(model, view, words)}
      ${facts(model, view, words)}
      ${view.method.ended_by !== 'erasure' && charges(model, view, words)}
      ${!isEnded && endForm(model, words)}
    </section>`,
  })
}

function ended(model: PageModel, { method }: MethodView, words: SavedMethodWords): Html {
  return html`<p>${fillIn(model, words.endedBody)} ${method.ended_by === 'erasure' && words.erasedBody}</p>`
}

function agreed(model: PageModel, { method }: MethodView, words: SavedMethodWords): Html {
  const { language } = model
  const limit =
    method.limit_minor !== null &&
    fill(language.words.saveLimit, {
      limit: displayMoney(method.limit_minor, method.limit_currency, language),
    })
  return html`<p>${fillIn(model, words[method.agreement])} ${limit}</p>`
}

function facts(model: PageModel, { method }: MethodView, words: SavedMethodWords): Html {
  const { language } = model
  const lines: (readonly [string, Html | string] | false)[] = [
    method.ended_by !== 'erasure' && [words.method, nameMethod(method, language)],
    method.expires !== null && [language.words.expiry, html`<bdi dir="ltr">${monthOf(method.expires)}</bdi>`],
    [words.agreedOn, timeOf(model, method.saved_at)],
    method.ended_at !== null && [words.endedOn, timeOf(model, method.ended_at)],
  ]
  return html`<dl class="facts">
    ${lines.map((line) => line && html`<div><dt>${line[0]}</dt><dd>${line[1]}</dd></div>`)}
  </dl>`
}

/** `08/29` of `2029-08`, as on the card. */
function monthOf(expires: string): string {
  return `${expires.slice(5)}/${expires.slice(2, 4)}`
}

function timeOf({ language, view }: PageModel, instant: string): Html {
  const text = displayTime(instant, language, view.brand.timeZone)
  return html`<time datetime="${instant}">${text.replace(/ (?=\S+$)/, '\u00a0')}</time>`
}

type Charge = MethodView['charges'][number]

function charges(model: PageModel, view: MethodView, words: SavedMethodWords): Html {
  return html`<section class="charges" aria-labelledby="charges">
    <h2 id="charges">${words.charges}</h2>
    ${
      view.charges.length === 0
        ? html`<p class="quiet">${words.noCharges}</p>`
        : html`<ul class="items">${view.charges.map((charge) => chargeLine(model, charge, words))}</ul>`
    }
  </section>`
}

function chargeLine(model: PageModel, charge: Charge, words: SavedMethodWords): Html {
  const { language, view } = model
  const about = charge.title ?? charge.description
  const day = displayDay(new Date(charge.created_at), language, view.brand.timeZone)
  return html`<li>
    <span>
      <time datetime="${charge.created_at}">${day}</time>
      ${about !== null && html`<br /><bdi class="quiet small">${plainText(about)}</bdi>`}
    </span>
    <span class="figure">
      <bdi>${displayMoney(charge.amount_minor, charge.currency, language)}</bdi><br />
      <span class="quiet small">${stateOf(model, charge, words)}</span>
    </span>
  </li>`
}

const stateWords: Readonly<Record<Charge['state'], keyof SavedMethodWords>> = {
  pending: 'pending',
  success: 'paid',
  refunded: 'refunded',
  reversed: 'reversed',
  failed: 'notPaid',
  cancelled: 'notPaid',
  expired: 'notPaid',
}

function stateOf(model: PageModel, charge: Charge, words: SavedMethodWords): Html | string {
  const isWaiting = charge.state === 'pending' && readSaving(charge)?.failure?.code === 'needs_customer'
  if (!isWaiting) return words[stateWords[charge.state]]
  const digits = `${charge.merchant_id}${charge.number}`
  return html`<a href="${addressOf({ ...model, digits })}">${words.needsYou}</a>`
}

/** Two steps without a script: ending can't be undone. */
function endForm(model: PageModel, words: SavedMethodWords): Html {
  return html`<details class="end">
    <summary class="plain button">${words.end}</summary>
    <form method="post" action="${addressOf(model, endPath)}" data-once>
      <input type="hidden" name="token" value="${model.token}" />
      <p>${fillIn(model, words.endExplain)}</p>
      <button class="go" type="submit">${words.endYes}</button>
    </form>
  </details>`
}

export const savedMethodStyles = new URL('./saved.css', import.meta.url)
