import { html } from '../../../platform/http/html.ts'
import { refundSchema } from '../api/schemas.ts'
import { refundEvents, refundStates, refundStatus, type RefundState } from '../state-machine.ts'
import type { ChapterText, Source } from '../../../guide/book.ts'
import { codeBlock } from '../../../guide/parts/code.ts'
import { objectSection } from '../../../guide/parts/fields.ts'
import { operationSection } from '../../../guide/parts/operation.ts'
import { table, words } from '../../../guide/parts/table.ts'

export function refundsChapter(source: Source): ChapterText {
  return {
    menu: 'Refunds',
    title: 'Refunds',
    lead: 'Give all or part of a payment back, once, and know whether it arrived.',
    sections: [
      {
        id: 'once',
        title: 'Exactly once',
        body: html`<p>
            <code>refund_ref</code> names the refund. When your call gets no answer, send it again with the same
            <code>refund_ref</code> and the same amount: you get the same refund, and never a second one. Together the
            refunds of a payment are never more than was paid, however many programs ask at once.
          </p>
          ${codeBlock(
            'Shell',
            `curl -X POST "${source.baseUrl}/api/transaction/$TX_REF/refund" \\\n  -H "Authorization: Bearer $FLORIN_KEY" -H "Content-Type: application/json" \\\n  -d '{"refund_ref": "return-77", "amount": "5.00", "reason": "One chair came broken"}'`,
          )}`,
      },
      {
        id: 'refund-states',
        title: 'Status',
        body: html`<p>
            <code>status</code> of a refund. Refunds of one payment are sent to the network one after the other: while
            an answer is missing, the next ones wait as <code>requested</code>.
          </p>
          ${table(['status', 'what it means', 'what to do', 'can become'], refundStates.map(stateRow))}`,
      },
      ...source.operations
        .filter((operation) => operation.group === 'Refunds')
        .map((operation) => operationSection(operation, source, ['Refund'])),
      objectSection(
        refundSchema,
        'The refund',
        'The same in the look-up, in lists and in notifications; its history is in its own look-up alone.',
      ),
    ],
  }
}

const meaning: Readonly<Record<RefundState, readonly [string, string]>> = {
  requested: ['Written down. The network has not answered yet, or its answer was lost.', 'Wait.'],
  submitted: ['The network has it and has not decided.', 'Wait: some take days.'],
  succeeded: ['The money is on its way to the customer.', 'Tell them: it takes a few working days.'],
  failed: ['No money went back, or the bank sent it home again.', 'Pay the customer another way.'],
}

function stateRow(state: RefundState) {
  const [means, advice] = meaning[state]
  const next = Object.values(refundEvents)
    .filter((edge) => (edge.from as readonly RefundState[]).includes(state))
    .map((edge) => refundStatus[edge.to])
  return [words(refundStatus[state]), means, advice, [...new Set(next)].join(', ') || 'nothing']
}
