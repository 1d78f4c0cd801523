import { html } from '../../../platform/http/html.ts'
import { payoutSchema } from '../api/schemas.ts'
import { payoutStates, type PayoutState } from '../state-machine.ts'
import type { ChapterText, Source } from '../../../guide/book.ts'
import { objectSection } from '../../../guide/parts/fields.ts'
import { operationSection } from '../../../guide/parts/operation.ts'
import { table, words } from '../../../guide/parts/table.ts'

export function payoutsChapter(source: Source): ChapterText {
  return {
    menu: 'Payouts',
    title: 'What arrived at your bank',
    lead: 'Your networks collect the money and transfer it to your bank, many payments at a time. Each transfer is a payout, and each booking in it a line.',
    sections: [
      {
        id: 'match-a-payout',
        title: 'Match a bank transfer with your orders',
        body: html`<ol>
            <li>
              Find the payout: <code>bank_reference</code> is what your bank statement shows, and <code>amount_minor</code>
              what arrived.
            </li>
            <li>Wait until it says <code>lines: complete</code>. Some networks need a day.</li>
            <li>
              Read its lines. <code>tx_ref</code> and <code>refund_ref</code> lead to your orders; <code>fee_minor</code>
              and <code>tax_minor</code> are what the network charged.
            </li>
          </ol>
          <p>
            <code>net_minor</code> of all lines is always <code>amount_minor</code> of the payout. If the network’s own
            list doesn’t add up, a line of kind <code>difference</code> has the rest. Lines never change, and the CSV in
            the dashboard has the same ones.
          </p>
          <p>
            In test mode, call <code>POST /api/payouts</code>, press <em>Pay out now</em> under <em>Payouts</em> in the
            dashboard, or run <code>florin trigger payout.arrived</code>. The test network pays out every night as well.
          </p>`,
      },
      {
        id: 'payout-states',
        title: 'Status of a payout',
        body: table(
          ['status', 'what it means', 'what to do'],
          payoutStates.map((state) => [words(state), ...meaning[state]]),
        ),
      },
      ...source.operations
        .filter((operation) => operation.group === 'Payouts')
        .map((operation) => operationSection(operation, source, ['Payout'])),
      objectSection(payoutSchema, 'The payout', 'As the list has it.'),
    ],
  }
}

const meaning: Readonly<Record<PayoutState, readonly [string, string]>> = {
  announced: ['The network has set the money aside.', 'Wait.'],
  on_its_way: ['The network has sent it.', 'Wait.'],
  arrived: ['Your bank has it, as far as the network knows.', 'Match it with your bank statement.'],
  failed: ['Your bank refused it. The network has the money.', 'Check your bank details at the network.'],
  returned: ['It had arrived, and your bank sent it back.', 'Check your bank details at the network.'],
}
