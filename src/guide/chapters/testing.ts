import { inGroups, testCards, type TestOutcome } from '../../core/test-network/cards.ts'
import type { DeclineReason } from '../../core/networks/connector.ts'
import { html } from '../../platform/http/html.ts'
import type { ChapterText, Section, Source } from '../book.ts'
import { codeBlock } from '../parts/code.ts'
import { table, words } from '../parts/table.ts'

/** `triggered`: what florin trigger can do. */
export function testingChapter({ prefix }: Source, triggered: readonly string[]): ChapterText {
  return {
    menu: 'Testing',
    title: 'Try everything without money',
    lead: 'A test key runs against a network of ours that has a card for every outcome. Nothing leaves the machine but your notifications.',
    sections: [
      {
        id: 'cards',
        title: 'Test cards',
        body: html`<p>
            Any date in the future, any name, and any security code: three digits, or four for American Express. Only these numbers are taken; any other is refused
            unread, so no real card can end up in a test.
          </p>
          ${table(
            ['number', 'brand', 'what happens'],
            testCards.map((card) => [
              html`<code class="figures">${inGroups(card)}</code>`,
              card.brand,
              outcomeWords(card.outcome),
            ]),
          )}`,
      },
      {
        id: 'waits',
        title: 'Many declined cards',
        body: html`<p>
            Whoever tries out stolen cards has to wait, and test mode is no exception: from the fifth decline of an
            address or a number on the next try has to wait for some seconds, and later for minutes. Ten declines by hand
            cost 80 seconds in all. A test suite that sends the checkout form itself adds your test key as
            <code>Authorization: Bearer</code>, and is not counted. <code>florin trigger</code> does so.
          </p>`,
      },
      {
        id: 'listen',
        title: 'Notifications on your machine',
        body: html`<p>
            <code>listen</code> forwards the notifications of test mode to your program, signed, whether a payment has a
            <code>callback_url</code> or not. No tunnel is needed. <code>trigger</code> makes a real test payment from
            create to notification.
          </p>
          ${codeBlock(
            'Shell',
            'florin listen --forward-to http://localhost:4000/ipn\nflorin trigger payment.success',
          )}
          <p>
            Both take the key from <code>FLORIN_KEY</code>, or ask for it. <code>trigger</code> knows
            ${triggered.map((event, place) => html`${place > 0 && ', '}<code>${event}</code>`)}.
            <code>payment.expired</code> takes as long as a payment can be paid: a sample of it, and of any event, comes from
            <a href="${prefix}/docs/notifications#sendTestNotification">Send a sample to your server</a>.
          </p>`,
      },
      {
        id: 'mail',
        title: 'Mail',
        body: html`<p>
            Mail of test mode is never sent. <code>florin mailbox</code> shows what your customers would have got, in
            the language of their checkout page.
          </p>`,
      },
      whatToTry,
    ],
  }
}

function outcomeWords(outcome: TestOutcome): string {
  if (outcome.kind === 'charged') return outcome.refund ? refundWords[outcome.refund] : 'Paid'
  if (outcome.kind === 'challenge') return '3-D Secure: approve, refuse, or walk away'
  if (outcome.kind === 'declined') return declineWords[outcome.reason]
  if (outcome.kind === 'disputed')
    return outcome.end === 'open'
      ? 'Paid; disputed after 5 seconds, and open for 30 days until you answer in the dashboard'
      : `Paid; disputed after 5 seconds, and a minute later ${outcome.end}`
  return outcome.found === 'charged'
    ? 'The network does not answer; later it turns out that it was paid'
    : 'The network does not answer; later it turns out that it was not paid'
}

const refundWords = {
  succeeds_later: 'Paid; a refund is decided some seconds later, and succeeds',
  fails: 'Paid; a refund is decided some seconds later, and fails',
} as const

const declineWords: Readonly<Record<DeclineReason, string>> = {
  declined: 'Declined',
  insufficient_funds: 'Declined: not enough money',
  expired_card: 'Declined: the card has expired',
  wrong_cvc: 'Declined: wrong security code',
  processing_error: 'A mistake of the network; nothing was charged',
  challenge_refused: 'Declined: 3-D Secure was refused',
  challenge_abandoned: 'Declined: 3-D Secure was not finished',
  needs_customer: 'the bank wants the customer',
  method_ended: 'declined for good',
  network_silent: 'never received',
}

const whatToTry: Section = {
  id: 'what-to-try',
  title: 'What to try before you trust your shop',
  body: html`${table(
    ['try', 'your shop should'],
    [
      [html`Pay with ${words('4242 4242 4242 4242')}`, 'deliver once'],
      ['Send the notification again (resend)', 'not deliver a second time'],
      ['Change one letter of the body or of the secret', 'answer 401 and believe nothing'],
      ['Call your return_url by hand with status=success', 'not deliver: it looks the transaction up'],
      [
        html`Pay with ${words('4000 0000 0000 5043')} and close the window`,
        'deliver when the notification comes',
      ],
      [
        'Choose to pay by bank, pay on the page of the test bank and close the window there',
        'deliver when the notification comes',
      ],
      ['Cancel on the checkout page', 'keep the basket'],
      [
        html`Pay with ${words('4000 0000 0000 2685')} and wait for a minute`,
        'stop the delivery at dispute.opened, and deliver once at most when the dispute is won',
      ],
      [
        html`Pay with ${words('4000 0000 0000 5126')} and refund it`,
        'not take the refund for done: refund.failed follows',
      ],
      ['Stop your server, pay, start it again', 'get the notification a little later'],
    ],
  )}`,
}
