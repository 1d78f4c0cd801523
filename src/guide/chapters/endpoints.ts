import { html } from '../../platform/http/html.ts'
import type { JsonSchema } from '../../platform/http/openapi/openapi.ts'
import type { ChapterText, Source } from '../book.ts'
import { objectSection } from '../parts/fields.ts'
import { operationSection } from '../parts/operation.ts'

export function endpointsChapter(source: Source): ChapterText {
  const operations = source.operations.filter((operation) => operation.group === 'Endpoints')
  const looked = operations.find((operation) => operation.id === 'findEndpoint')
  const endpoint = looked?.answers.find((answer) => answer.data)?.data
  return {
    menu: 'Endpoints',
    title: 'Hear of every payment of the account',
    lead: 'A callback_url belongs to one payment. An endpoint hears of all of them: the warehouse, the accounts, a chat channel.',
    sections: [
      {
        id: 'endpoints-or-callback',
        title: 'Endpoint or callback_url?',
        body: html`<p>
            Use <code>callback_url</code> when your program creates the payment and wants to know how it ended. Add an
            endpoint for programs that have to know of every payment, also of links and forms that name no
            <code>callback_url</code>. You may use both: each gets its own notification, with the same
            <code>webhook-id</code>.
          </p>
          <p>
            Each mode has up to ten endpoints. Notifications look the same, are retried on the same
            <a href="${source.prefix}/docs/notifications#retries">schedule</a> and verified in the
            <a href="${source.prefix}/docs/notifications#verify">same way</a>, but with the secret of the endpoint. You
            see it once, when you add the endpoint; if you lose it, roll it.
          </p>
          <p>
            Whether a receiver works is judged per URL. A URL that does nothing but fail for 120 hours is paused, and
            other URLs of the same host go on.
          </p>`,
      },
      {
        id: 'endpoints-elsewhere',
        title: 'Without code',
        body: html`<p>
            In the dashboard: Notifications, Endpoints. In a terminal: <code>florin endpoint --help</code>. While
            <code>florin listen</code> runs, it is an endpoint of test mode too.
          </p>`,
      },
      ...operations.map((operation) => operationSection(operation, source, ['Endpoint'])),
      objectSection(endpoint as JsonSchema, 'The endpoint', 'The same in the look-up and in lists.'),
    ],
  }
}
