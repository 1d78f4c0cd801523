import { html, type Html } from '../../../../platform/http/html.ts'
import { plainText } from '../../../../platform/input/isolate.ts'
import { taxNameOf } from '../../../merchants/brand/tax-names.ts'
import { displayPercent } from '../../../../platform/money/money.ts'
import { itemsOf, taxLines, totalOf, type TaxLine } from '../../../payments/items.ts'
import { displayMoney, fill } from '../../language.ts'
import type { PageModel } from '../../page-model.ts'

// The items bought, their total and the included tax; the same on pages and in the PDF.

export type ItemLine = {
  readonly name: string
  readonly amount: string
  /** A line in our words: the sum, or the tax included in it. */
  readonly kind?: 'total' | 'tax'
}

export function itemLines(model: PageModel): ItemLine[] {
  const { payment } = model.view
  const items = itemsOf(payment)
  if (items.length === 0) return []
  const format = (minor: bigint): string => displayMoney(minor, payment.currency, model.language)
  return [
    ...items.map((item) => {
      const name = plainText(item.name)
      return {
        name: item.quantity === 1 ? name : `${item.quantity} \u00d7 ${name}`,
        amount: format(totalOf(item)),
      }
    }),
    { name: model.language.words.total, amount: format(payment.amount_minor), kind: 'total' },
    ...taxLines(items).map((line) => ({
      name: formatTax(model, line),
      amount: format(line.taxMinor),
      kind: 'tax' as const,
    })),
  ]
}

function formatTax({ view, language }: PageModel, { rate, name }: TaxLine): string {
  const { currency } = view.payment
  const tax = name === undefined ? taxNameOf(view.brand.country, currency, language.code) : plainText(name)
  return fill(language.words.taxIncluded, { tax, rate: displayPercent(rate, language.locale) })
}

export function itemsTable(model: PageModel): Html | false {
  const lines = itemLines(model)
  if (lines.length === 0) return false
  return html`<ul class="items">
    ${lines.map(
      ({ name, amount, kind }) => html`<li ${kind && html`class="${kind}"`}>
        <span><bdi>${name}</bdi></span> <span class="figure"><bdi>${amount}</bdi></span>
      </li>`,
    )}
  </ul>`
}
