import { html, type Html } from '../../platform/http/html.ts'
import type { JsonSchema, Webhook } from '../../platform/http/openapi/openapi.ts'
import { pausesMs } from '../../core/notifications/deliver/retry-schedule.ts'
import type { ChapterText, Section, Source } from '../book.ts'
import { readSnippet, readSnippets } from '../snippets/read-snippets.ts'
import { codeBlock, codeInLanguages, jsonBlock } from '../parts/code.ts'
import { objectSection } from '../parts/fields.ts'
import { operationSection } from '../parts/operation.ts'
import { table, words } from '../parts/table.ts'

export function notificationsChapter(source: Source): ChapterText {
  const operations = source.operations.filter((operation) => operation.group === 'Notifications')
  const listed = operations.find((operation) => operation.id === 'listNotifications')
  const list = listed?.answers.find((answer) => answer.data)?.data
  return {
    menu: 'Notifications',
    title: 'Hear of every payment',
    lead: 'When a payment ends, we send a signed POST to its callback_url (IPN). Customers close windows; notifications arrive all the same.',
    sections: [
      receiving(source),
      events(source.webhooks),
      payload(source.webhooks),
      verifying(source),
      retries(),
      ...operations.map((operation) => operationSection(operation, source, ['Notification'])),
      objectSection(
        list?.['items'] as JsonSchema,
        'The notification',
        'One notification on its way, with every try.',
      ),
    ],
  }
}

function receiving({ baseUrl }: Source): Section {
  return {
    id: 'receive',
    title: 'Receive one',
    body: html`<ol>
        <li>Verify the signature, over the bytes of the body as they came.</li>
        <li>
          Remember the <code>webhook-id</code>. A notification comes at least once; a repeat has the same id and the
          same bytes.
        </li>
        <li>Answer with any 2xx within 15 seconds. Do slow work afterwards.</li>
        <li>Compare <code>amount_minor</code> and <code>currency</code> with your order, then deliver.</li>
      </ol>
      ${codeBlock('A receiver in Node', readSnippet('receive.js', baseUrl))}`,
  }
}

function events(webhooks: readonly Webhook[]): Section {
  return {
    id: 'events',
    title: 'Events',
    body: html`${table(
      ['event', 'what happened', 'what it means for you'],
      webhooks.map(({ event, summary, description }) => [words(event), summary, description]),
    )}
      <p>
        Events of one payment may arrive in any order: <code>status</code> and <code>updated_at</code> say how things
        stood when each was written.
      </p>`,
  }
}

function payload(webhooks: readonly Webhook[]): Section {
  const [first, ...others] = webhooks
  return {
    id: 'payload',
    title: 'What is sent',
    body: html`<p>
        The transaction as the look-up shows it, plus <code>event</code>. With these headers:
      </p>
      ${table(
        ['header', 'what it says'],
        (first?.headers ?? []).map(({ name, description }) => [words(name), description]),
      )}
      ${first && jsonBlock(first.event, first.example)} ${others.map(otherPayload)}`,
  }
}

function otherPayload({ event, example }: Webhook): Html {
  return html`<details>
    <summary><code>${event}</code></summary>
    ${jsonBlock(event, example)}
  </details>`
}

function verifying({ baseUrl }: Source): Section {
  return {
    id: 'verify',
    title: 'Verify the signature',
    body: html`<p>
        <code>florin webhook-secret show</code> prints the secret, one per mode: <code>whsec_…</code>. The signature
        follows <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, and their libraries work as they are. It
        covers the id, the time and the body. Or copy this:
      </p>
      ${codeInLanguages('verify', 'Verify a notification', readSnippets('verify', baseUrl, ['curl']))}
      <p>
        The time may differ from yours by five minutes: older ones are repeats by a stranger. While a secret is rolled
        (<code>florin webhook-secret roll --overlap 24</code>) there are two signatures, and one that fits is enough.
      </p>
      <p>
        The header <code>signature</code> is simpler and weaker: hex of HMAC-SHA256 over the body alone, keyed with the
        secret as it is shown, <code>whsec_</code> included. It does not cover the time, and while a secret is rolled it
        is made with the new one.
      </p>`,
  }
}

function retries(): Section {
  return {
    id: 'retries',
    title: 'When your server does not answer',
    body: html`${table(
      ['your answer', 'what happens'],
      [
        ['2xx', 'received'],
        ['410', 'this notification is not sent again'],
        ['429, 503 with Retry-After', 'left alone for at least as long as you ask, up to 24 hours'],
        ['anything else, a redirect included', 'tried again; a redirect is never followed'],
        ['none within 15 s, no connection, a bad certificate', 'tried again'],
      ],
    )}
      <p>
        Tries are made at once, then after ${pausesMs.map(inWords).join(', ')}, each a tenth more or less. After the
        last one the notification has failed, and waits until you <a href="#resendNotification">send it again</a>. An
        origin that gave nothing but failures for 120 hours is paused, and you get a mail; what comes meanwhile waits
        until you <a href="#resumeReceiver">resume it</a>.
      </p>`,
  }
}

function inWords(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
}
