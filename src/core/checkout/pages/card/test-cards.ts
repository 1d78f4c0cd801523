import {
  inGroups,
  savedTestCards,
  testCards,
  type TestCard,
  type TestOutcome,
} from '../../../test-network/cards.ts'
import { drawOnce, html, type Html } from '../../../../platform/http/html.ts'
import type { DeclineReason } from '../../../payments/checkout-view.ts'
import type { Words } from '../../language.ts'

/** The script makes the numbers into buttons that fill in the form. */
export const testCardTable = drawOnce((words: Words): Html => drawTable(words, testCards))

/** For a payment that saves its card: also those that are declined later, without the customer. */
export const testCardTableToSave = drawOnce((words: Words): Html =>
  drawTable(words, [...savedTestCards, ...testCards]),
)

function drawTable(words: Words, cards: readonly TestCard[]): Html {
  return html`<details class="test-cards" open>
    <summary><h2>${words.testCards}</h2></summary>
    <p class="quiet">${words.testCardsHint}</p>
    <table data-use="${words.useCard}">
      <thead>
        <tr>
          <th scope="col">${words.number}</th>
          <th scope="col">${words.testCardOutcome}</th>
        </tr>
      </thead>
      <tbody>
        ${cards.map((card) => {
          const number = inGroups(card)
          return html`<tr>
            <td><span class="figures" dir="ltr" data-card="${number}">${number}</span></td>
            <td>${words[outcomeWord(card.outcome)]}</td>
          </tr>`
        })}
      </tbody>
    </table>
  </details>`
}

function outcomeWord(outcome: TestOutcome): keyof Words {
  if (outcome.kind === 'declined') return declineWords[outcome.reason]
  if (outcome.kind === 'charged' && outcome.later) return laterWords[outcome.later] ?? 'outcomeSuccess'
  if (outcome.kind === 'charged') return outcome.refund ? refundWords[outcome.refund] : 'outcomeSuccess'
  if (outcome.kind === 'challenge') return 'outcomeChallenge'
  if (outcome.kind === 'disputed') return disputeWords[outcome.end]
  return outcome.found === 'charged' ? 'outcomeTimeoutPaid' : 'outcomeTimeoutUnpaid'
}

const laterWords: Readonly<Partial<Record<DeclineReason | 'comes_back', keyof Words>>> = {
  needs_customer: 'outcomeLaterAsks',
  insufficient_funds: 'outcomeLaterSoft',
  method_ended: 'outcomeLaterHard',
  expired_card: 'outcomeLaterExpired',
  comes_back: 'outcomeLaterBack',
}

const disputeWords = {
  won: 'outcomeDisputeWon',
  lost: 'outcomeDisputeLost',
  open: 'outcomeDisputeOpen',
} as const

const refundWords = { succeeds_later: 'outcomeRefundLater', fails: 'outcomeRefundFails' } as const

const declineWords: Readonly<Record<DeclineReason, keyof Words>> = {
  declined: 'outcomeDeclined',
  insufficient_funds: 'outcomeInsufficientFunds',
  expired_card: 'outcomeExpiredCard',
  wrong_cvc: 'outcomeWrongCvc',
  processing_error: 'outcomeProcessingError',
  challenge_refused: 'outcomeDeclined',
  challenge_abandoned: 'outcomeDeclined',
  needs_customer: 'outcomeDeclined',
  method_ended: 'outcomeDeclined',
  network_silent: 'outcomeDeclined',
}
