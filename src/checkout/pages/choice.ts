import type { PaymentMethod } from '../../connectors/hosted.ts'
import { html, type Html } from '../../http/html.ts'
import type { Offer } from '../../payments/attempts/hosted/offers.ts'
import { fill, type Words } from '../language.ts'
import { addressOf, type PageModel } from '../page-model.ts'

const methodWords: Readonly<Record<PaymentMethod, keyof Words>> = {
  // The wallets stand on the network's card page by themselves.
  card: 'methodCard',
  bank: 'methodBank',
}

/** One button for each way to pay on a network's own page. */
export function choice(model: PageModel): Html {
  const offers = model.offered?.offers ?? []
  return html`<ul class="ways">
    ${offers.map((offer) => html`<li>${wayToPay(model, offer, offers)}</li>`)}
  </ul>`
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
    <p class="quiet small">${fill(words.atNetwork, { network: offer.label })}</p>
  </form>`
}
