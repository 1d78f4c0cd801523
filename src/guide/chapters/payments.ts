import { html } from '../../platform/http/html.ts'
import { transactionSchema } from '../../core/payments/api/schemas.ts'
import { paymentEvents, paymentStates, type PaymentState } from '../../core/payments/state-machine.ts'
import type { ChapterText, Source } from '../book.ts'
import { isOfForms } from './form.ts'
import { objectSection } from '../parts/fields.ts'
import { operationSection } from '../parts/operation.ts'
import { table, words } from '../parts/table.ts'

export function paymentsChapter(source: Source): ChapterText {
  return {
    menu: 'Payments',
    title: 'Payments',
    lead: 'Create a link, look it up, list what there is, cancel what nobody paid.',
    sections: [
      {
        id: 'states',
        title: 'States',
        body: html`<p>
            <code>status</code> of a transaction. Success is sticky: only a refund or a reversal follows it, and a reversal may be
            taken back. A declined
            card does not end a payment; the customer may try another.
          </p>
          ${table(['status', 'what it means', 'what to do', 'can become'], paymentStates.map(stateRow))}`,
      },
      ...source.operations
        .filter((operation) => operation.group === 'Payments' && !isOfForms(operation))
        .map((operation) => operationSection(operation, source, ['Transaction'])),
      objectSection(
        transactionSchema,
        'The transaction',
        'The public face of a payment: the same in the look-up, in lists and in notifications.',
      ),
    ],
  }
}

const meaning: Readonly<Record<PaymentState, readonly [string, string]>> = {
  pending: ['Not paid yet. Somebody may be paying right now.', 'Wait.'],
  success: ['Payment succeeded.', 'Compare amount_minor and currency, then deliver.'],
  failed: ['Ten cards were declined. No money was taken.', 'Create a new payment, with a new tx_ref.'],
  cancelled: ['By the customer or by you. No money was taken.', 'Keep the order open or close it.'],
  expired: [
    'Payment expired: 24 hours, or what the shop has set. No money was taken.',
    'Create a new payment, with a new tx_ref.',
  ],
  refunded: ['Payment fully refunded.', 'Take the delivery back, if there was one.'],
  reversed: [
    'The bank took the money back, in a dispute. If that is won, the payment is a success again.',
    'Treat the order as unpaid.',
  ],
}

function stateRow(state: PaymentState) {
  const [means, advice] = meaning[state]
  const next = Object.values(paymentEvents)
    .filter((edge) => (edge.from as readonly PaymentState[]).includes(state))
    .map((edge) => edge.to)
  const become = [...new Set(next)].join(', ')
  return [words(state), means, advice, become || 'nothing']
}
