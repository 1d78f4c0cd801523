import { html, type Html } from '../../platform/http/html.ts'
import type { FailureReason, ReceiverInFull } from '../../core/notifications/receivers/list-receivers.ts'
import { describeTry } from '../../core/notifications/describe-try.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, table } from '../parts/lists.ts'
import { crumb, form, head, press, formatExactly, timeAgo, shopTime } from '../parts/parts.ts'
import { facts, section } from '../parts/things.ts'
import { counted, receiverPill, receiverStyles, testButton } from './receivers-page.ts'

// One receiver: its state, why it fails, and actions.

const path = ({ place }: MemberAsk): string => `${place.home}/notifications`

export function receiverPage(ask: MemberAsk, receiver: ReceiverInFull): Content {
  const { origin } = receiver
  const sent = (state?: string): string => addressOf(`${path(ask)}/sent`, { receiver: origin, state })
  const linked = (count: number, state: string): Html | string =>
    count === 0 ? '0' : html`<a href="${sent(state)}">${counted(count)}</a>`
  return {
    title: origin,
    styles: receiverStyles,
    body: html`${head(origin, {
      crumb: crumb(path(ask), 'Notifications'),
      action: html`<nav class="actions" aria-label="Actions">${actions(ask, receiver)}</nav>`,
    })}
      ${receiverState(ask, receiver)}
      ${facts([
        ['State', receiverPill(receiver)],
        ['Failing since', exactly(ask, receiver.failingSince)],
        ['Paused', exactly(ask, receiver.pausedAt)],
        ['Waiting', linked(receiver.waiting, 'waiting')],
        ['Paused, until you resume', receiver.paused === 0 ? undefined : linked(receiver.paused, 'paused')],
        ['Oldest waiting', exactly(ask, receiver.oldest_at)],
        ['Failed permanently', linked(receiver.failed, 'failed')],
        ['Sent', html`<a href="${sent()}">Every notification to this receiver</a>`],
      ])}
      ${receiver.reasons.length > 0 && section('Why attempts failed', reasons(ask, receiver.reasons))}`,
  }
}

function exactly(ask: MemberAsk, at: string | null): string | undefined {
  return at === null ? undefined : formatExactly(new Date(at), shopTime(ask))
}

function actions(ask: MemberAsk, { origin, state, failed }: ReceiverInFull): (Html | undefined | false)[] {
  const at = `${path(ask)}/receiver`
  const { role } = ask.place
  const mayChange = hasRight(role, 'receivers.change')
  const to = new URLSearchParams({ origin }).toString()
  return [
    testButton(ask, origin),
    mayChange && state !== 'paused' && html`<a class="button plain" href="${at}/pause?${to}">Pause</a>`,
    failed > 0 &&
      hasRight(role, 'notifications.resend') &&
      html`<a class="button plain" href="${at}/resend?${to}">Resend failed</a>`,
    mayChange && state === 'paused' && press(ask, `${at}/do/resume`, 'Resume', { origin }, 'go'),
  ]
}

function receiverState(ask: MemberAsk, receiver: ReceiverInFull): Html {
  if (receiver.state === 'paused')
    return html`<div class="problem">
      <h2>Nothing is sent here</h2>
      <p>
        ${receiver.isPausedByHand ? 'Someone on your team paused it.' : 'Every attempt failed for 120 hours.'}
        Notifications wait, and are sent when you resume it. None are lost.
      </p>
    </div>`
  if (receiver.state === 'failing')
    return html`<p class="quiet">
      Florin tries each notification ten times over three days. If everything fails for 120 hours, it pauses the receiver
      and e-mails you.
    </p>`
  return html`<p class="quiet">
    It accepts notifications.${
      receiver.lastAt !== null &&
      html` The latest was sent ${timeAgo(new Date(receiver.lastAt), shopTime(ask))}.`
    }
  </p>`
}

function reasons(ask: MemberAsk, given: readonly FailureReason[]): Html {
  const now = shopTime(ask)
  return table({
    label: 'Reasons',
    rows: given,
    columns: [
      { label: 'What', draw: (one) => html`<strong>${describeTry(one).what}</strong>` },
      { label: 'Likely cause', draw: (one) => describeTry(one).means ?? '' },
      { label: 'Last', draw: ({ last_at }) => timeAgo(new Date(last_at), now) },
      { label: 'Notifications', draw: ({ count }) => String(count), isFigure: true },
    ],
  })
}

function confirm(
  ask: MemberAsk,
  { origin }: ReceiverInFull,
  title: string,
  words: Html,
  button: Html,
): Content {
  return {
    title,
    body: html`${head(title, {
      crumb: crumb(addressOf(`${path(ask)}/receiver`, { origin }), origin),
    })}
      <div class="card form">${words} ${button}</div>`,
  }
}

export function pausePage(ask: MemberAsk, receiver: ReceiverInFull): Content {
  return confirm(
    ask,
    receiver,
    'Pause receiver',
    html`<p>Florin sends nothing to ${receiver.origin} until someone resumes it. Notifications wait and are not lost.</p>`,
    form(
      ask,
      `${path(ask)}/receiver/pause`,
      html`<input type="hidden" name="origin" value="${receiver.origin}" />
        <div><button class="danger">Pause</button></div>`,
    ),
  )
}

export function resendPage(ask: MemberAsk, receiver: ReceiverInFull, most: number): Content {
  const many = receiver.failed === 1 ? 'One notification' : `${counted(receiver.failed)} notifications`
  return confirm(
    ask,
    receiver,
    'Resend failed notifications',
    html`<p>
      ${many} to ${receiver.origin} failed permanently. Florin resends them with the same webhook-id, so a server that
      checks it handles each only once${receiver.failed > 1 && `. It sends at most ${most.toLocaleString('en-GB')} at a time, oldest first`}.
    </p>`,
    form(
      ask,
      `${path(ask)}/receiver/resend`,
      html`<input type="hidden" name="origin" value="${receiver.origin}" />
        <div><button class="go">Send again</button></div>`,
    ),
  )
}
