import { drawAround, html, type Holes, type Html } from '../../../platform/http/html.ts'
import type { Words } from '../language.ts'
import { addressOf, type PageModel } from '../page-model.ts'

/** On wide screens: the same page on the customer's phone, where the card or the bank's app may be. Fetched when opened. */
export function onPhone(model: PageModel): Html {
  return drawOnPhone(model.language.words, { address: model.qrCode ?? addressOf(model, '/qr.svg') })
}

const drawOnPhone = drawAround(
  (words: Words, { address }: Holes<'address'>) => html`<details class="on-phone">
    <summary>${words.onPhone}</summary>
    <p class="quiet">${words.onPhoneHint}</p>
    <img src="${address}" width="176" height="176" alt="" loading="lazy" />
  </details>`,
)
