import { html } from '../../platform/http/html.ts'
import type { ChapterText, Source } from '../book.ts'
import { table, words } from '../parts/table.ts'

export function liveChapter({ prefix }: Source): ChapterText {
  return {
    menu: 'Going live',
    title: 'Going live',
    lead: 'Which networks there are, what differs, and what to have ready.',
    sections: [
      {
        id: 'networks',
        title: 'Networks',
        body: html`<p>
            Live payments are paid on the page of a network, and the money goes straight to your account there: Stripe for
            cards, Apple Pay and Google Pay, GoCardless for instant bank payments, Paystack for cards, bank payments and mobile money in
            Africa, PayPal for its own customers. No card number reaches Florin. Whoever runs Florin
            connects your account with <code>florin connector add</code> and switches you on with
            <code>florin merchant live on</code>, which says what is missing. Until then the page of a live payment says that payment is
            not possible right now.
          </p>
          <p>
            To see the journey without an account, pay a test payment at the test bank: one button below the card form. A
            program notices no difference. A look-up of a live payment that is pending asks its network, at most every three
            seconds, so a lost callback costs you nothing.
          </p>`,
      },
      {
        id: 'differs',
        title: 'What differs in live mode',
        body: table(
          ['what', 'test', 'live'],
          [
            ['key', words('sk_test_…'), words('sk_live_…')],
            ['money', 'never moves', 'moves, to your account at the network'],
            ['callback_url, return_url', 'http or https', 'https only'],
            [
              'notifications to this machine or its network',
              'allowed when Florin listens on a loopback address and is reached by one',
              'refused',
            ],
            ['mail', 'stays in the mailbox', 'is sent, if a mail server is set'],
            ['webhook secret', 'its own', 'its own'],
            ['tx_ref', 'its own numbering', 'its own numbering'],
          ],
        ),
      },
      {
        id: 'ready',
        title: 'What to have ready',
        body: html`<ol>
            <li>Your account is switched on for live payments, and you have a live key of your own for each program.</li>
            <li>Keys stand in the environment of your server, and in no page, no app and no repository.</li>
            <li>
              Your receiver <a href="${prefix}/docs/notifications#verify">verifies signatures</a>, remembers
              <code>webhook-id</code>, and has the live webhook secret.
            </li>
            <li>You compare amount_minor and currency with your order before you deliver.</li>
            <li>You look up payments whose notification did not come: the customer paid and closed the window.</li>
            <li>
              You tried <a href="${prefix}/docs/testing#what-to-try">what can go wrong</a>, and know
              <a href="${prefix}/docs/errors">which calls to repeat</a>.
            </li>
          </ol>`,
      },
    ],
  }
}
