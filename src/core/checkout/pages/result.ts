import { html, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { displayTime, type Words } from '../language.ts'
import { hasReceiptPdf } from '../receipt/receipt-pdf.ts'
import { addressOf, returnsTo, sentence, type PageModel } from '../page-model.ts'
import { partsOf } from '../parts/page-parts.ts'
import type { Screen } from '../screens.ts'
import { bannerOf, frame } from '../parts/frame.ts'
import { itemsTable } from '../parts/shop/items.ts'
import { mailNote } from '../parts/shop/mail-note.ts'
import { mark } from '../parts/marks.ts'
import { drawLines, receiptLines, referenceLine } from './receipt.ts'
import { amountLine } from '../parts/summary.ts'

// The ends of a payment: the receipt, and the pages that say why there is none.

export function paidPage(model: PageModel): Page {
  const { words } = model.language
  return result(
    model,
    'paidTitle',
    html`<section class="card sheet receipt" aria-labelledby="result">
      ${mark('tick', 'good')}
      <h1 id="result">${words.paidTitle}</h1>
      ${amountLine(model)} ${partsOf(model, 'notice')} ${receiptBody(model)} ${receiptTools(model)}
    </section>`,
  )
}

type MoneyBack = Extract<Screen, 'refunded' | 'reversed'>

const backs: Readonly<Record<MoneyBack, { title: keyof Words; body: keyof Words }>> = {
  refunded: { title: 'refundedTitle', body: 'refundedBody' },
  reversed: { title: 'reversedTitle', body: 'reversedBody' },
}

export function moneyBackPage(model: PageModel, screen: MoneyBack): Page {
  const { title, body } = backs[screen]
  return result(
    model,
    title,
    html`<section class="card sheet receipt" aria-labelledby="result">
      ${mark('back', 'calm')}
      <h1 id="result">${model.language.words[title]}</h1>
      ${amountLine(model)}
      <p>${sentence(model, body)}</p>
      ${receiptBody(model)} ${receiptTools(model)}
    </section>`,
  )
}

type Ended = Extract<Screen, 'cancelled' | 'expired' | 'failed' | 'unavailable'>

const ends: Readonly<Record<Ended, { title: keyof Words; body: keyof Words; drawing: Html }>> = {
  cancelled: { title: 'cancelledTitle', body: 'cancelledBody', drawing: mark('dash', 'calm') },
  expired: { title: 'expiredTitle', body: 'expiredBody', drawing: mark('clock', 'calm') },
  failed: { title: 'failedTitle', body: 'failedBody', drawing: mark('cross', 'bad') },
  unavailable: { title: 'unavailableTitle', body: 'unavailableBody', drawing: mark('dash', 'warn') },
}

export function endedPage(model: PageModel, screen: Ended): Page {
  const { words } = model.language
  const { title, body, drawing } = ends[screen]
  const facts = [{ label: 'amount', value: model.amount }, referenceLine(model)] as const
  return result(
    model,
    title,
    html`<section class="card sheet" aria-labelledby="result">
      ${drawing}
      <h1 id="result">${words[title]}</h1>
      <p>${sentence(model, screen === 'unavailable' && model.offered?.amountOutOfRange ? 'unavailableAmount' : body, { date: endOf(model) })} <strong>${isPaidTooLate(model) ? words.paidTooLate : words.noMoneyTaken}</strong></p>
      <p>${sentence(model, screen === 'unavailable' ? 'unavailableNext' : 'startAgain')}</p>
      ${drawLines(facts, words)}
      ${wayBack(model)}
    </section>`,
  )
}

/** On a page that its network can't close, after the payment had ended: the money goes back by itself. */
function isPaidTooLate({ view }: PageModel): boolean {
  return view.payment.state !== 'pending' && view.isSentBack === true
}

function endOf({ view, language }: PageModel): string {
  return displayTime(view.payment.expires_at, language, view.brand.timeZone)
}

function receiptBody(model: PageModel): Html {
  const { words } = model.language
  const isTest = model.view.payment.mode === 'test'
  return html`${itemsTable(model)}${drawLines(receiptLines(model), words)} ${partsOf(model, 'lines')}
  ${mailNote(model)} ${partsOf(model, 'link')}
  ${isTest && html`<p class="test-note">${words.testReceipt}</p>`}
  ${wayBack(model)}`
}

function wayBack(model: PageModel): Html | undefined {
  const address = returnsTo(model)
  if (address === undefined) return undefined
  return html`<div class="way-back">
    <a class="go button" href="${address}" rel="noreferrer">${sentence(model, 'returnTo')}</a>
    ${model.goesBack && html`<p class="quiet small returning">${sentence(model, 'returning')}</p>`}
  </div>`
}

/** No script is needed, except where the page may be in a frame or a pop-up: then the script knows which window has to move. */
function refresh(model: PageModel): Html | undefined {
  if (model.goesBack !== true) return undefined
  const meta = html`<meta http-equiv="refresh" content="0;url=${returnsTo(model)}" />`
  return model.embed ? html`<noscript>${meta}</noscript>` : meta
}

function receiptTools(model: PageModel): Html {
  const { words } = model.language
  return html`<div class="tools">
    ${
      hasReceiptPdf(model) &&
      html`<a class="plain button" href="${pdfAddress(model)}" download>${words.downloadPdf}</a>`
    }
    <button class="plain" type="button" id="print" hidden>${words.print}</button>
  </div>`
}

/** An old receipt that was opened stays open in another language. */
function homeOf(model: PageModel): string {
  return model.receiptProof === undefined
    ? addressOf(model)
    : addressOf(model, `/receipt/${model.receiptProof}`)
}

function pdfAddress(model: PageModel): string {
  const address = addressOf(model, '/receipt.pdf')
  if (model.receiptProof === undefined) return address
  return `${address}${model.isChosen ? '&' : '?'}proof=${model.receiptProof}`
}

function result(model: PageModel, title: keyof Words, content: Html): Page {
  return frame(model, {
    title: model.language.words[title],
    ...bannerOf(model),
    isOver: true,
    home: homeOf(model),
    head: refresh(model),
    content,
  })
}
