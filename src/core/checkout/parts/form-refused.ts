import type { Refusal } from '../../../platform/errors/refusals.ts'
import { html, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { isolate } from '../../../platform/input/isolate.ts'
import { cardNumberRule } from '../../../platform/money/card-numbers.ts'
import type { StartedBefore } from '../../payments/api/started-before.ts'
import type { PaymentState } from '../../payments/state-machine.ts'
import { fill, type Words } from '../language.ts'
import { ownDetails, ownFields, type OwnField } from '../own-details.ts'
import type { Setting } from '../page-model.ts'
import { mark } from './marks.ts'
import { contactOf, shopLine, stylesOf } from './shop/shop.ts'

// What a customer sees when the shop's form can't start a payment. They correct mistakes in their own details here;
// problems only the shop can fix are shown to pass on, but the page first says what it means for the money. It doesn't
// load the checkout's script, which reloads a page restored from the browser's cache: this page is the response to a
// form, and browsers ask before they send it twice.

export type RefusedForm = {
  readonly refusal: Refusal
  /** If the key is known. */
  readonly isTest: boolean
  readonly wayBack: string | undefined
  /** The payment that the same form started before. */
  readonly before: StartedBefore | undefined
  readonly requestId: string
  readonly correction:
    | {
        /** The rest of the form. */
        readonly sealed: string
        /** The fields that are wrong, as they were sent. */
        readonly typed: ReadonlyMap<string, string>
      }
    | undefined
}

export function formRefusedPage(setting: Setting, refused: RefusedForm): Page {
  const { language } = setting
  const { words } = language
  const title = words[titleOf(refused)]
  return {
    title: refused.correction ? fill(words.errorTitle, { title }) : title,
    language: language.code,
    direction: language.direction,
    styleFile: setting.prefix + setting.styleFile.path,
    styles: stylesOf(setting),
    body: html`${refused.isTest && html`<header class="test-banner"><p>${words.testBanner}</p></header>`}
      <main class="column">
        ${shopLine(setting)}
        <section class="card sheet form" aria-labelledby="refused">
          ${markOf(refused)}
          <h1 id="refused">${title}</h1>
          ${contentOf(setting, refused)} ${returnLink(setting, refused)}
        </section>
        ${!refused.correction && !refused.before && forTheShop(words, refused)} ${contactOf(setting)}
      </main>
      <footer><p class="by">Florin</p></footer>`,
  }
}

function titleOf({ refusal, correction }: RefusedForm): keyof Words {
  if (correction) return 'formCorrectTitle'
  return refusal.code === 'tx_ref_taken' ? 'formTakenTitle' : 'formTitle'
}

function markOf({ before, correction }: RefusedForm): Html | undefined {
  if (correction) return undefined
  return before?.state === 'success' ? mark('tick', 'good') : mark('dash', 'calm')
}

function contentOf(setting: Setting, refused: RefusedForm): Html {
  if (refused.correction) return correctionForm(setting, refused, refused.correction)
  if (refused.refusal.code === 'tx_ref_taken') return whatBecame(setting, refused)
  return html`<p><strong>${setting.language.words.noMoneyTaken}</strong> ${whatToDo(setting, refused)}</p>`
}

function whatToDo(setting: Setting, { refusal }: RefusedForm): string {
  if (refusal.status === 503 || refusal.status === 429) return sentence(setting, 'formBusy')
  if (refusal.code === 'form_refused') return sentence(setting, 'formOld')
  return sentence(setting, setting.shop ? 'formShopFault' : 'formUnknownShopFault')
}

function sentence({ language, shop }: Setting, key: keyof Words): string {
  return fill(language.words[key], { merchant: isolate(shop?.name ?? '', language.direction) })
}

function correctionForm(
  setting: Setting,
  { refusal }: RefusedForm,
  { sealed, typed }: NonNullable<RefusedForm['correction']>,
): Html {
  const { words } = setting.language
  const language = setting.isChosen ? `?lang=${setting.language.code}` : ''
  const wrong = ownFields.filter((name) => typed.has(name))
  return html`<p>${sentence(setting, 'formCorrectBody')} <strong>${words.noMoneyTaken}</strong></p>
    <form method="post" action="${setting.prefix}/ext_transfer${language}" novalidate>
      <input type="hidden" name="sealed" value="${sealed}" />
      ${wrong.map((name, index) => field(words, refusal, name, typed.get(name) ?? '', index === 0))}
      <button class="go" type="submit">${words.goOnToPayment}</button>
    </form>`
}

function field(words: Words, refusal: Refusal, name: OwnField, typed: string, isFirst: boolean): Html {
  const { label, autocomplete, isRequired } = ownDetails[name]
  const mistake = mistakeOf(refusal, name, typed)
  // A card number is hidden from anyone looking over the customer's shoulder.
  const value = mistake === 'ownCardNumber' ? '' : typed
  return html`<div class="field">
    <label for="${name}">${words[label]}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value}"
      ${name === 'email' && html`type="email" inputmode="email" dir="ltr"`}
      ${isRequired && html`required`}
      ${isFirst && html`autofocus`}
      autocomplete="${autocomplete}"
      aria-describedby="${name}-error"
      aria-invalid="true"
      spellcheck="false"
    />
    <p class="error" id="${name}-error">${words[mistake]}</p>
  </div>`
}

export function mistakeOf({ errors }: Pick<Refusal, 'errors'>, name: OwnField, typed: string): keyof Words {
  const { missing, wrong } = ownDetails[name]
  if (typed === '') return missing
  const rules = errors?.[name] ?? []
  if (rules.some((rule) => rule.endsWith(cardNumberRule))) return 'ownCardNumber'
  return name !== 'email' && rules.some((rule) => rule.includes('at most')) ? 'nameLong' : wrong
}

function whatBecame(setting: Setting, { before }: RefusedForm): Html {
  const { words } = setting.language
  const unsure = html`<p>${sentence(setting, 'formUnsure')}</p>`
  if (!before) return unsure
  const link = (key: keyof Words): Html =>
    html`<a class="go button" href="${before.checkoutUrl}">${words[key]}</a>`
  const ended = html`<p>${sentence(setting, 'formEnded')}</p>`
  const sentences: Readonly<Record<PaymentState, Html>> = {
    pending: html`<p>${words.formGoOn}</p>
      ${link('goOnToPayment')}`,
    success: html`<p>${words.formPaid}</p>
      ${link('openReceipt')}`,
    failed: ended,
    cancelled: ended,
    expired: ended,
    refunded: html`<p>${words.formMoneyBack}</p>
      ${link('openReceipt')}`,
    reversed: html`${unsure} ${link('openReceipt')}`,
  }
  return sentences[before.state]
}

function returnLink(setting: Setting, { wayBack }: RefusedForm): Html | undefined {
  if (wayBack === undefined) return undefined
  return html`<a class="plain button" href="${wayBack}" rel="noreferrer">${sentence(setting, 'returnTo')}</a>`
}

/** In English like the API: it is for the form's developer. */
function forTheShop(words: Words, { refusal, requestId }: RefusedForm): Html {
  return html`<section class="small quiet">
    <p>${words.forTheShop}</p>
    <p lang="en" dir="ltr"><code>${refusal.message}</code></p>
    <p lang="en" dir="ltr"><code>${refusal.code}</code> · <code>${requestId}</code></p>
  </section>`
}
