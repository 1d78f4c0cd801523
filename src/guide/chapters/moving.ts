import { html } from '../../platform/http/html.ts'
import type { ChapterText, Source } from '../book.ts'
import { table, words } from '../parts/table.ts'

export function movingChapter({ baseUrl, prefix }: Source): ChapterText {
  return {
    menu: 'Moving a plugin',
    title: 'Moving a plugin or program to Florin',
    lead: 'For plugins and programs written for PayChangu, Chapa or a script of that family.',
    sections: [
      {
        id: 'steps',
        title: 'Step by step',
        body: html`<ol>
          <li>
            Change the addresses in the plugin: create with <code>POST ${baseUrl}/api/payment</code>, look up with
            <code>GET ${baseUrl}/api/transaction/{tx_ref}</code>.
          </li>
          <li>
            Create a test key with the dialect <code>family</code>: choose it where the dashboard creates keys, or run
            <code>florin key create --dialect family</code>. Use it as the plugin’s secret key.
          </li>
          <li>
            If the plugin has an address for webhooks, create an
            <a href="${prefix}/docs/endpoints">endpoint</a> with it, and give the plugin the endpoint’s secret.
          </li>
          <li>
            Place an order, stop at the checkout page, and run
            <code>florin doctor --plugin CALLBACK_URL --tx-ref TX_REF</code>. It reports whether the shop completes an unpaid
            order, or leaves a paid one open.
          </li>
        </ol>`,
      },
      {
        id: 'dialect',
        title: 'What the dialect changes',
        body: html`${table(
          ['what', 'with the dialect', 'without'],
          [
            [
              html`outer ${words('status')} of a look-up`,
              html`${words('success')} only if the payment is paid`,
              html`${words('success')}: the look-up worked`,
            ],
            [
              html`outer ${words('status')} of every other GET`,
              html`${words('ok')}: no plugin takes it for a paid payment`,
              html`${words('success')}: the call worked`,
            ],
            [
              'a customer who has paid',
              html`goes to ${words('callback_url')}`,
              html`goes to ${words('return_url')}`,
            ],
            [
              'a customer who has not paid',
              html`goes to ${words('return_url')}`,
              html`sees a page with a button to ${words('return_url')}`,
            ],
            [
              html`call of ${words('callback_url')}`,
              'only when paid; by GET if POST gets 404 or 405',
              'POST, for every event',
            ],
          ],
        )}
          <p>
            Without the dialect, a plugin that decides by the outer <code>status</code> completes unpaid orders.
            <code>docs/moving.md</code> in Florin’s source has all differences, and the plugins that were tried.
          </p>`,
      },
    ],
  }
}
