import type { PaymentMethod } from '../../connectors/hosted.ts'
import { html, type Html } from '../../http/html.ts'
import type { Offer } from '../../payments/attempts/hosted/offers.ts'
import { fill, type Words } from '../language.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { lock } from './marks.ts'

const methodWords: Readonly<Record<PaymentMethod, keyof Words>> = {
  // The wallets stand on the network's card page by themselves.
  card: 'methodCard',
  bank: 'methodBank',
}

/** One button for each way to pay on a network's own page. */
export function choice(model: PageModel): Html {
  const offers = model.offered?.offers ?? []
  const isOneNetwork = new Set(offers.map(({ label }) => label)).size === 1
  return html`<ul class="ways">
      ${offers.map(
        (offer) => html`<li>${wayToPay(model, offer, offers)} ${!isOneNetwork && whereOf(model, offer)}</li>`,
      )}
    </ul>
    ${isOneNetwork && offers[0] && whereOf(model, offers[0])}`
}

/** Where the customer will be; once, when all ways lead to the same network. */
function whereOf(model: PageModel, { label }: Offer): Html {
  return html`<p class="quiet small where">${lock}<span>${fill(model.language.words.atNetwork, { network: label })}</span></p>`
}

function wayToPay(model: PageModel, offer: Offer, all: readonly Offer[]): Html {
  const { words } = model.language
  const isFirst = offer === all[0] && model.view.payment.mode === 'live'
  return html`<form method="post" action="${addressOf(model, '/choose')}" data-once>
    <input type="hidden" name="token" value="${model.token}" />
    <input type="hidden" name="account" value="${offer.accountId}" />
    <input type="hidden" name="method" value="${offer.method}" />
    <button class="${isFirst ? 'go' : 'plain'} way" type="submit">
      <span>${words[methodWords[offer.method]]}</span>
    </button>
  </form>`
}
