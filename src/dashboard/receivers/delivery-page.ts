import { html, type Html } from '../../platform/http/html.ts'
import type { DeliveryInFull } from '../../core/notifications/receivers/browse-deliveries.ts'
import { describeTry } from '../../core/notifications/describe-try.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, deliveryPill } from '../parts/lists.ts'
import { crumb, head, press, formatExactly, shopTime } from '../parts/parts.ts'
import { codeBox, facts, section, timeline, type Happening } from '../parts/things.ts'
import { receiverStyles } from './receivers-page.ts'

// One notification: its body, and the response to each attempt.

type Attempt = DeliveryInFull['attempts'][number]

export function deliveryPage(ask: MemberAsk, delivery: DeliveryInFull): Content {
  const path = `${ask.place.home}/notifications`
  const mayResend = delivery.target !== '' && hasRight(ask.place.role, 'notifications.resend')
  return {
    title: delivery.event,
    styles: receiverStyles,
    body: html`${head(delivery.event, {
      crumb: crumb(`${path}/sent`, 'Notifications'),
      ...(mayResend && {
        action: press(ask, `${path}/sent/${delivery.id}/do/resend`, 'Send again'),
      }),
    })}
      <div id="delivery" class="stack" ${delivery.state === 'waiting' && html`data-again="delivery"`}>
      ${facts([
        ['State', deliveryPill({ kind: 'ipn', state: delivery.state })],
        ['To', delivery.target === '' ? 'Not sent: the payment has no callback_url' : delivery.target],
        ['Receiver', receiverOf(path, delivery)],
        ['Payment', paymentOf(ask, delivery)],
        ['webhook-id', html`<code>${delivery.id}</code>`],
        ['Created', formatExactly(new Date(delivery.created_at), shopTime(ask))],
        [
          'Next attempt',
          delivery.next_try_at === null
            ? undefined
            : formatExactly(new Date(delivery.next_try_at), shopTime(ask)),
        ],
      ])}
      ${section(
        'Attempts',
        delivery.attempts.length === 0
          ? html`<p class="quiet">None yet.</p>`
          : timeline(
              delivery.attempts.map((one, index) => happening(one, index + 1)).toReversed(),
              shopTime(ask),
            ),
      )}
      </div>
      ${section('Body', codeBox(pretty(delivery.body), 'Body'))}`,
  }
}

function receiverOf(path: string, { origin }: DeliveryInFull): Html | undefined {
  if (origin === '') return undefined
  return html`<a href="${addressOf(`${path}/receiver`, { origin })}">${origin}</a>`
}

function paymentOf({ place }: MemberAsk, { number }: DeliveryInFull): Html | string {
  return number === null
    ? 'None (test notification)'
    : html`<a href="${place.home}/payments/${number}">Open</a>`
}

/** Counts what was tried: a stored number is also used up by an attempt that a stopped server never made. */
function happening({ at, ms, status, error, answer }: Attempt, attempt: number): Happening {
  const { what, means } = describeTry({ status, error })
  const isTaken = status !== null && status >= 200 && status < 300
  return {
    at: new Date(at),
    title: `Attempt ${attempt}: ${what}, after ${ms} ms`,
    tone: isTaken ? 'good' : 'bad',
    detail: html`${means !== undefined && html`<p>${means}</p>`}
      ${answer !== null && answer.trim() !== '' && codeBox(answer, `Response to attempt ${attempt}`)}`,
  }
}

/** Indented for reading; the signed bytes have no spaces. Numbers stay as written. */
function pretty(body: string): string {
  let depth = 0
  return body.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') return `${token}\n${'  '.repeat((depth += 1))}`
    if (token === '}' || token === ']') return `\n${'  '.repeat((depth = Math.max(0, depth - 1)))}${token}`
    if (token === ',') return `,\n${'  '.repeat(depth)}`
    return token === ':' ? ': ' : token
  })
}
