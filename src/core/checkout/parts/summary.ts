import { drawAround, html, type Holes, type Html } from '../../../platform/http/html.ts'
import { isDrawnRef } from '../../../platform/input/drawn-ref.ts'
import { plainText } from '../../../platform/input/isolate.ts'
import type { Words } from '../language.ts'
import { sentence, type PageModel } from '../page-model.ts'
import { drawLines, referenceLine } from '../pages/receipt.ts'
import { itemsTable } from './shop/items.ts'
import { logoOf } from './shop/shop.ts'

// In characters: beyond the first the largest size does not fit a sheet on a small screen, beyond the second no small
// screen at all, and beyond the third (`KWD 999,999,999.999`) the second size neither.
const wideAmount = 10
const longAmount = 13
const longestAmount = 16

/** Who asks for how much, and what for. The amount is the largest thing on the page. */
export function summary(model: PageModel): Html {
  const { payment } = model.view
  return html`<section class="summary" aria-labelledby="merchant">
    <div class="merchant">
      ${logoOf(model.shop)}
      <h1 id="merchant">${sentence(model, 'payTitle')}</h1>
    </div>
    ${amountLine(model)}
    ${payment.title && html`<p class="title"><bdi>${plainText(payment.title)}</bdi></p>`}
    ${payment.description && html`<p class="description"><bdi>${plainText(payment.description)}</bdi></p>`}
    ${itemsTable(model)}
    ${!isDrawnRef(payment.tx_ref) && drawLines([referenceLine(model)], model.language.words)}
  </section>`
}

export function amountLine({ amount, language }: Pick<PageModel, 'amount' | 'language'>): Html {
  const length = amount.replace(/[\u2066\u2069]/g, '').length
  return drawAmount(language.words, {
    wide: length > wideAmount && 'wide',
    long: length > longAmount && 'long',
    longest: length > longestAmount && 'longest',
    amount,
  })
}

const drawAmount = drawAround(
  (words: Words, parts: Holes<'wide' | 'long' | 'longest' | 'amount'>) =>
    html`<p class="amount ${parts.wide} ${parts.long} ${parts.longest}">
    <span class="unseen">${words.amount}: </span><bdi>${parts.amount}</bdi>
  </p>`,
)
