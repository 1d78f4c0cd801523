import { html, type Html } from '../../../platform/http/html.ts'
import { isDrawnRef } from '../../../platform/input/drawn-ref.ts'
import { isolate, plainText } from '../../../platform/input/isolate.ts'
import type { PaymentMethod } from '../../../platform/money/payment-methods.ts'
import { displayMoney, displayTime, fill, type Words } from '../language.ts'
import type { PageModel } from '../page-model.ts'

// The lines of a receipt, the same on the page and in the PDF.

export type ReceiptLine = {
  readonly label: keyof Words
  readonly value: string
  /** A moment, said in the merchant's time zone as in the mail and the PDF: three receipts of one payment say the same. */
  readonly instant?: string
  /** A sentence of ours, which runs in the page's direction; what others wrote runs in its own. */
  readonly isOurs?: true
}

export function receiptLines(model: PageModel): ReceiptLine[] {
  const { payment, merchantName, brand } = model.view
  const name = `${payment.first_name} ${payment.last_name}`.trim()
  const lines: (ReceiptLine | false)[] = [
    { label: 'paidTo', value: merchantName },
    payment.title !== null && payment.title !== '' && { label: 'paidFor', value: payment.title },
    name !== '' && { label: 'paidBy', value: name },
    {
      label: 'date',
      value: displayTime(paidAt(model), model.language, brand.timeZone),
      instant: paidAt(model),
    },
    meansLine(model),
    payment.refunded_minor > 0n && {
      label: 'refunded',
      value: displayMoney(payment.refunded_minor, payment.currency, model.language),
    },
    !isDrawnRef(payment.tx_ref) && { label: 'orderReference', value: payment.tx_ref },
    { label: 'reference', value: payment.reference },
    payment.invoice_number !== null && { label: 'invoice', value: payment.invoice_number },
    brand.statementDescriptor !== undefined && { label: 'statement', value: brand.statementDescriptor },
  ]
  return lines.filter((line) => line !== false)
}

/** The reference a customer gives the shop: the shop's own, or ours if a payment link made one up. */
export function referenceLine({ view }: Pick<PageModel, 'view'>): ReceiptLine {
  const { tx_ref, reference } = view.payment
  return isDrawnRef(tx_ref)
    ? { label: 'reference', value: reference }
    : { label: 'orderReference', value: tx_ref }
}

const throughWords = {
  card: 'cardThrough',
  bank: 'bankThrough',
  mobile_money: 'mobileMoneyThrough',
} as const satisfies Record<Exclude<PaymentMethod, 'wallet'>, keyof Words>

/** The card by its last digits, or how and through whom where the network alone knows the card. */
function meansLine(model: PageModel): ReceiptLine | false {
  const card = cardLine(model)
  if (card !== undefined) return { label: 'card', value: card, isOurs: true }
  const { hosted } = model.view.lastAttempt ?? {}
  if (!hosted) return false
  const name =
    hosted.connector === 'test-bank'
      ? model.language.words.challengeBank
      : (model.network ?? hosted.connector)
  const network = isolate(name, model.language.direction)
  // Customers know a wallet by its network's name: nobody pays by wallet, but with PayPal.
  const { method } = hosted
  const value = method === 'wallet' ? network : fill(model.language.words[throughWords[method]], { network })
  return { label: 'paidWith', value, isOurs: true }
}

export function cardLine(model: PageModel): string | undefined {
  const { cardBrand, cardLast4 } = model.view.lastAttempt ?? {}
  if (cardBrand === undefined || cardLast4 === undefined) return undefined
  return fill(model.language.words.cardEnding, { brand: cardBrand, last4: cardLast4 })
}

export function drawLines(lines: readonly ReceiptLine[], words: Words): Html {
  return html`<dl class="facts">
    ${lines.map(
      (line) => html`<div>
        <dt>${words[line.label]}</dt>
        <dd>${drawValue(line)}</dd>
      </div>`,
    )}
  </dl>`
}

function drawValue({ value, instant, isOurs }: ReceiptLine): Html {
  // A no-break space, so that UTC is not left alone in the next line.
  if (instant !== undefined) {
    return html`<time datetime="${instant}">${value.replace(/ (?=\S+$)/, '\u00a0')}</time>`
  }
  return isOurs ? html`${value}` : html`<bdi>${plainText(value)}</bdi>`
}

/** When the customer pressed the button. The payment's own time moves on with every refund. */
export function paidAt(model: Pick<PageModel, 'view'>): string {
  return model.view.lastAttempt?.startedAt ?? model.view.payment.updated_at
}
