import { paymentMethods, type PaymentMethod } from '../../networks/hosted.ts'
import { drawAround, html, type Holes, type Html } from '../../../platform/http/html.ts'
import type { MethodMark } from '../../../platform/money/payment-methods.ts'
import type { Offer } from '../../payments/attempts/hosted/offers.ts'
import { fill, type Words } from '../language.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { hasWays } from '../parts/page-parts.ts'
import { agreedInput, agreementText } from './agreement.ts'
import { brands } from './card/card-marks.ts'
import { lock } from '../parts/marks.ts'

const methodWords: Readonly<Record<PaymentMethod, keyof Words>> = {
  card: 'payByCard',
  bank: 'payByBank',
  mobile_money: 'payByMobileMoney',
  wallet: 'payByWallet',
}

/** The ways to pay on a network's own page, in the order that the shop chose. */
export function waysOf({ offered, view }: PageModel): readonly Offer[] {
  const offers = offered?.offers ?? []
  if (offers.length < 2) return offers
  const order = [...view.brand.methodOrder, ...paymentMethods]
  return offers.toSorted((left, right) => order.indexOf(left.method) - order.indexOf(right.method))
}

/** One button for each way to pay on a network's own page, below a heading that names them. The only way to pay needs none. */
export function choice(model: PageModel, id: string, heading: string): Html {
  const ways = waysOf(model)
  const isAlone = ways.length === 1 && model.view.payment.mode === 'live' && !hasWays(model)
  const isOneNetwork = new Set(ways.map(({ label }) => label)).size === 1
  return html`${!isAlone && html`<h2 id="${id}">${heading}</h2>`}
    ${ways.length > 0 && agreementText(model)}
    <ul class="ways">
      ${ways.map(
        (offer) =>
          html`<li>${wayToPay(model, offer, isAlone ? id : undefined)} ${!isOneNetwork && whereOf(model, offer)}</li>`,
      )}
    </ul>
    ${isOneNetwork && ways[0] && whereOf(model, ways[0])}`
}

/** Where the customer will be; once, when all ways lead to the same network. */
function whereOf(model: PageModel, { label, connector }: Offer): Html {
  const { words } = model.language
  const network = connector === 'test-bank' ? words.challengeBank : label
  return drawWhere(words, { network })
}

const drawWhere = drawAround(
  (words: Words, { network }: Holes<'network'>) =>
    html`<p class="quiet small where">${lock}<span>${fill(words.atNetwork, { network: network.text })}</span></p>`,
)

function wayToPay(model: PageModel, offer: Offer, id: string | undefined): Html {
  const isFirst = offer === waysOf(model)[0] && isAboveCards(model) && !hasWays(model)
  return drawWay[offer.method](model.language.words, {
    action: addressOf(model, '/choose'),
    token: model.token,
    account: offer.accountId,
    agreed: agreedInput(model),
    weight: isFirst ? 'go' : 'plain',
    id: id !== undefined && html`id="${id}"`,
    network: offer.label,
    amount: model.amount,
    marks:
      (offer.marks ?? []).length > 0 && html`<span class="marks">${(offer.marks ?? []).map(markOf)}</span>`,
  })
}

const drawWay = {
  card: drawWayBy('card'),
  bank: drawWayBy('bank'),
  mobile_money: drawWayBy('mobile_money'),
  wallet: drawWayBy('wallet'),
} as const satisfies Record<PaymentMethod, unknown>

type WayParts = 'action' | 'token' | 'account' | 'agreed' | 'weight' | 'id' | 'network' | 'amount' | 'marks'

function drawWayBy(method: PaymentMethod) {
  return drawAround(
    (words: Words, parts: Holes<WayParts>) => html`<form method="post" action="${parts.action}" data-once>
    <input type="hidden" name="token" value="${parts.token}" />
    <input type="hidden" name="account" value="${parts.account}" />
    <input type="hidden" name="method" value="${method}" />
    ${parts.agreed}
    <button class="${parts.weight} way" type="submit">
      <span ${parts.id}>${labelOf(words[methodWords[method]], parts)}</span>
      ${parts.marks}
    </button>
  </form>`,
  )
}

/** The amount has its own element: on phones, where it would take a second line, the one above the form has to do. */
function labelOf(sentence: string, { network, amount }: Holes<'network' | 'amount'>): Html {
  const [before = '', after = ''] = fill(sentence, { network: network.text, amount: '\n' }).split('\n')
  return html`${before}<span class="of-amount">${amount}</span>${after}`
}

/** In test mode the card is typed on our own page, which comes first unless the shop wants another way first. */
export function isAboveCards({ view }: PageModel): boolean {
  return view.payment.mode === 'live' || (view.brand.methodOrder[0] ?? 'card') !== 'card'
}

const wallets: Partial<Record<MethodMark, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' }

function markOf(mark: MethodMark): Html {
  const scheme = brands.find(({ code }) => code === mark)
  if (!scheme) return html`<span class="brand wallet">${wallets[mark]}</span>`
  return html`<span class="brand" data-brand="${mark}" role="img" aria-label="${scheme.name}"></span>`
}
