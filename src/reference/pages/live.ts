import { html } from '../../http/html.ts'
import type { Chapter, Source } from '../book.ts'
import { table, words } from './table.ts'

export function liveChapter({ prefix }: Source): Chapter {
  return {
    name: 'live',
    menu: 'Going live',
    title: 'Going live',
    lead: 'What is true today, and what to have ready.',
    sections: [
      {
        id: 'today',
        title: 'Today',
        body: html`<p class="note">
            <strong>No real network is connected to Florin yet.</strong> A live key creates links that can be opened, and
            not paid: the page says that payment is not possible right now. Everything else works in live mode as in
            test mode.
          </p>`,
      },
      {
        id: 'differs',
        title: 'What differs in live mode',
        body: table(
          ['what', 'test', 'live'],
          [
            ['key', words('sk_test_…'), words('sk_live_…')],
            ['money', 'never moves', 'moves, once a network is connected'],
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
