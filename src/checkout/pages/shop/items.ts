import { html, type Html } from '../../../http/html.ts'
import { plainText } from '../../../input/isolate.ts'
import { itemsOf, taxLines, totalOf } from '../../../payments/items.ts'
import { displayMoney, fill } from '../../language.ts'
import type { PageModel } from '../../page-model.ts'

// What was bought, line by line, the same on pages and in the PDF.

export type ItemLine = {
  readonly name: string
  readonly amount: string
  /** A line of ours: what of it is tax. */
  readonly isTax?: true
}

export function itemLines(model: PageModel): ItemLine[] {
  const { payment } = model.view
  const items = itemsOf(payment)
  const say = (minor: bigint): string => displayMoney(minor, payment.currency, model.language)
  return [
    ...items.map((item) => {
      const name = plainText(item.name)
      return {
        name: item.quantity === 1 ? name : `${item.quantity} \u00d7 ${name}`,
        amount: say(totalOf(item)),
      }
    }),
    ...taxLines(items).map(({ rate, taxMinor }) => ({
      name: fill(model.language.words.taxIncluded, { rate }),
      amount: say(taxMinor),
      isTax: true as const,
    })),
  ]
}

export function itemsTable(model: PageModel): Html | false {
  const lines = itemLines(model)
  if (lines.length === 0) return false
  return html`<ul class="items">
    ${lines.map(
      ({ name, amount, isTax }) => html`<li ${isTax && html`class="tax"`}>
        <span><bdi>${name}</bdi></span> <span class="figure"><bdi>${amount}</bdi></span>
      </li>`,
    )}
  </ul>`
}
