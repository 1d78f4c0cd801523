import { html, type Html } from '../../http/html.ts'
import { addressOf, type PageModel } from '../page-model.ts'

/** On wide screens: the same page on the customer's phone, where the card or the bank's app may be. Fetched when opened. */
export function onPhone(model: PageModel): Html {
  const { words } = model.language
  return html`<details class="on-phone">
    <summary>${words.onPhone}</summary>
    <p class="quiet">${words.onPhoneHint}</p>
    <img src="${addressOf(model, '/qr.svg')}" width="176" height="176" alt="" loading="lazy" />
  </details>`
}
