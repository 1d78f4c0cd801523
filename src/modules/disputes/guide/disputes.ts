import { html } from '../../../platform/http/html.ts'
import { disputeSchema } from '../../../core/payments/api/dispute-schema.ts'
import type { DisputeState } from '../../../core/payments/disputed/dispute-view.ts'
import { disputeStates } from '../../../core/payments/disputed/dispute-view.ts'
import type { ChapterText, Source } from '../../../guide/book.ts'
import { objectSection } from '../../../guide/parts/fields.ts'
import { operationSection } from '../../../guide/parts/operation.ts'
import { table, words } from '../../../guide/parts/table.ts'

export function disputesChapter(source: Source): ChapterText {
  return {
    menu: 'Disputes',
    title: 'When a bank asks for the money back',
    lead: 'A customer tells their bank that a payment was not right, and the bank asks for the money. Florin tells you in time, passes your answer on, and shows where the money is.',
    sections: [
      {
        id: 'what-happens',
        title: 'What happens',
        body: html`<ol>
            <li>
              The bank opens a dispute. You get <code>dispute.opened</code> and a mail that says until when to answer. The
              transaction shows <code>dispute</code>.
            </li>
            <li>
              Most networks take the money at once. Then <code>status</code> is <code>reversed</code>, and
              <code>payment.reversed</code> comes as well. Where the bank only asks, <code>status</code> stays
              <code>success</code>.
            </li>
            <li>
              You send your evidence: texts and files, on the dispute’s page in the dashboard. Florin passes them to Stripe;
              for other networks it links to the page where you answer. While a dispute is open, nothing of this payment
              can be refunded: the customer would get the money twice.
            </li>
            <li>
              <code>dispute.won</code>: the money comes back and <code>status</code> is <code>success</code> again. No
              second <code>payment.success</code> is sent, so nobody delivers twice. <code>dispute.lost</code>: it stays
              <code>reversed</code>.
            </li>
          </ol>
          <p>
            A bank may take what you refunded before. Then more went out than came in: <code>loss</code> says how much, in
            the transaction, in the dispute and in its notifications. For a lost
            dispute without a refund it is <code>0.00</code>: you lost the payment, and nothing on top of it. Send the bank
            proof of the refund.
          </p>
          <p>
            Try it in test mode: <code>4000 0000 0000 2685</code> is disputed after five seconds and won a minute later,
            <code>4000 0000 0000 0259</code> is lost. <code>4000 0000 0000 4400</code> stays open for 30 days until you
            answer in the dashboard: evidence with <code>winning_evidence</code> in a text wins five seconds later, any
            other answer loses, and so does none.
          </p>`,
      },
      {
        id: 'dispute-states',
        title: 'Status of a dispute',
        body: table(
          ['status', 'what it means', 'what to do'],
          disputeStates.map((state) => [words(state), ...meaning[state]]),
        ),
      },
      ...source.operations
        .filter((operation) => operation.group === 'Disputes')
        .map((operation) => operationSection(operation, source, ['Dispute'])),
      objectSection(disputeSchema, 'The dispute', 'As it stands in a transaction.'),
    ],
  }
}

const meaning: Readonly<Record<DisputeState, readonly [string, string]>> = {
  evidence_due: ['The bank waits for your side.', 'Answer by evidence_due_at, or accept it.'],
  under_review: ['The bank decides. That takes weeks.', 'Wait.'],
  won: ['The money is yours, or on its way back: see money_taken.', 'Nothing.'],
  lost: ['The customer has the money.', 'Treat the order as unpaid. Do not refund it.'],
}
