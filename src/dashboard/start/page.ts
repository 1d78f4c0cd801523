import { html, type Html } from '../../platform/http/html.ts'
import { readStylesheet } from '../../platform/http/page.ts'
import { describeTry } from '../../core/notifications/describe-try.ts'
import type { Received } from '../../core/notifications/test-receiver/read-received.ts'
import type { PaymentRow } from '../../core/payments/checkout-view.ts'
import { checkoutUrl } from '../../core/payments/present.ts'
import { hasRight, type Right } from '../people/rights.ts'
import { readSnippets, withKey } from '../../guide/snippets/read-snippets.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { indentJson } from '../payments/indent-json.ts'
import { steadyLetters } from '../once.ts'
import { codeInLanguages, codeStyles } from '../parts/code.ts'
import { amount, pill, statePill } from '../parts/lists.ts'
import { head, press, formatExactly, shopTime, type ShopTime } from '../parts/parts.ts'
import { codeBox, copyable } from '../parts/things.ts'
import { isOver, steps, type Start, type Step } from './read-start.ts'
import { wasPaid } from '../../core/payments/state-machine.ts'

// The first five minutes: four steps, each ticked once it has happened. The page refreshes itself while it waits; without a
// script, people reload it.

const styles = [codeStyles, readStylesheet(new URL('./start.css', import.meta.url))]

/** The test network accepts it for any amount. */
const goodCard = '4242 4242 4242 4242'

export function startPage(ask: MemberAsk, start: Start, freshKey?: string): Content {
  const { home } = ask.place
  const count = steps.filter((step) => start.isDone[step]).length
  const isDone = isOver(start)
  const next = freshKey === undefined ? steps.find((step) => !start.isDone[step]) : 'call'
  return {
    title: 'Your first five minutes',
    styles,
    body: html`${head('Your first five minutes', {
      lead: isDone
        ? 'All four steps are done. You can come back any time.'
        : 'Each step is ticked once it has happened.',
      action: press(ask, `${home}/start/do/dismiss`, isDone ? 'Go to your shop' : 'Not now'),
    })}
      <div id="first-steps" ${!isDone && freshKey === undefined && html`data-again="first-steps"`}>
        <p class="progress" role="status">
          <progress max="${steps.length}" value="${count}" aria-hidden="true"></progress>
          <span class="quiet">${count} of ${steps.length} done</span>
        </p>
        <ol class="guide">
          ${steps.map((step, index) => drawStep({ step, index, next, isDone: start.isDone[step] }, contents[step](ask, start, freshKey)))}
        </ol>
      </div>
      ${!ask.own.person.hasPassword && setPassword(ask)}`,
  }
}

const titles: Readonly<Record<Step, string>> = {
  create: 'Create a test payment',
  pay: 'Pay it with a test card',
  notice: 'See the notification arrive',
  call: 'Create one from your own code',
}

type Standing = {
  readonly step: Step
  readonly index: number
  readonly next: Step | undefined
  readonly isDone: boolean
}

function drawStep({ step, index, next, isDone }: Standing, content: Html): Html {
  const isNext = step === next
  // The notification arrives by itself, so its step stays open beside the next one.
  const isOpen = isNext || (step === 'notice' && next === 'call')
  return html`<li class="${isDone && 'done'} ${isNext && 'next'}">
    <details ${step !== 'notice' && html`name="first-steps"`} ${isOpen && html`open`}>
      <summary>
        <span class="mark" aria-hidden="true">${isDone ? '\u2713' : index + 1}</span>
        <h2>${titles[step]}</h2>
        ${isDone && html`<span class="unseen">done</span>`}
      </summary>
      <div class="stack">${content}</div>
    </details>
  </li>`
}

type Draw = (ask: MemberAsk, start: Start, freshKey: string | undefined) => Html

const contents: Readonly<Record<Step, Draw>> = { create, pay, notice, call }

function create(ask: MemberAsk, { payment }: Start): Html {
  return html`<p class="quiet">
      A payment is an amount, a customer and a link. Your server creates one with a single call; here a button does it.
    </p>
    ${payment && theirs(ask, payment)} ${createButton(ask, payment, payment ? 'Create another one' : 'Create a test payment', payment ? 'plain' : 'go')}`
}

function theirs(ask: MemberAsk, payment: PaymentRow): Html {
  return html`<p class="of">
      ${amount(payment.amount_minor, payment.currency)} ${statePill(payment.state)}
      <a href="${ask.place.home}/payments/${payment.number}">${payment.tx_ref}</a>
    </p>
    ${copyable(checkoutUrl(payment, ask.dashboard.baseUrl), 'Payment link')}`
}

function createButton(
  ask: MemberAsk,
  before: PaymentRow | undefined,
  label: string,
  kind: 'go' | 'plain',
): Html {
  if (!may(ask, 'links.change'))
    return html`<p class="quiet">Your role is view-only. Someone who can create payments can do this step.</p>`
  const txRef = `first-steps-${steadyLetters(ask, `payment after ${before?.number ?? 'none'}`)}`
  return press(ask, `${ask.place.home}/start/do/create`, label, { tx_ref: txRef }, kind)
}

function pay(ask: MemberAsk, { payment, isDone }: Start): Html {
  if (!payment) return html`<p class="quiet">Create a payment first, in the step above.</p>`
  const isOpen = payment.state === 'pending'
  if (!isOpen && !isDone.pay)
    return html`<p>This payment is ${payment.state} and can no longer be paid.</p>
      ${createButton(ask, payment, 'Create another one', 'go')}`
  return html`<p class="quiet">
      Be your own customer. Use this number with any future date and any three digits. No money moves.
    </p>
    ${copyable(goodCard, 'Test card number')}
    ${
      isOpen
        ? html`<div><a class="button go" href="${checkoutUrl(payment, ask.dashboard.baseUrl)}">Open the checkout</a></div>`
        : html`<p class="of">${amount(payment.amount_minor, payment.currency)} ${statePill(payment.state)}</p>`
    }
    ${!isDone.pay && waiting(ask, 'This page updates when it is paid.')}`
}

function notice(ask: MemberAsk, { payment, received, isDone }: Start): Html {
  const about = html`<p class="quiet">
    Florin notifies your server when a payment changes: signed, and retried until your server accepts it. Until you have
    a receiver, a built-in one accepts it and verifies the signature, as yours will.
  </p>`
  if (!payment || !wasPaid(payment))
    return html`${about} ${payment && waiting(ask, 'Florin sends it as soon as the payment is paid.')}`
  if (received.every(({ target }) => target === ''))
    return html`${about}
      <p>This payment has no callback_url, so Florin sends no notification. A payment created here uses the built-in receiver.</p>
      ${createButton(ask, payment, 'Create another one', 'go')}`
  return html`${about} ${received.map((one) => drawReceived(one, shopTime(ask)))}
    ${!isDone.notice && waiting(ask, 'Florin retries automatically.')}`
}

/** Contains no relative times, so the page only redraws when something happened. */
function drawReceived(one: Received, now: ShopTime): Html {
  const isTaken = one.state === 'delivered'
  return html`<div class="received">
    <p class="of">
      <code>${one.event}</code>
      ${isTaken ? pill(`received, response ${one.status ?? ''}`, 'good') : one.at === null ? pill('on its way') : pill(notReceived(one), 'warn')}
      ${one.at !== null && html`<span class="quiet small">${formatExactly(new Date(one.at), now)}</span>`}
    </p>
    <p class="quiet small where">To ${one.target}</p>
    ${one.body !== '' && codeBox(indentJson(one.body), `What was sent to ${one.target}: ${one.event}`)}
  </div>`
}

function notReceived({ status, error }: Received): string {
  if (status !== null) return `response ${status}`
  return `not received: ${error === null ? 'no response' : describeTry({ status, error }).what}`
}

function call(ask: MemberAsk, { keyCount }: Start, freshKey: string | undefined): Html {
  const { baseUrl, prefix } = ask.dashboard
  if (freshKey !== undefined)
    return html`<p>
        This code contains your new key. Copy it now: you won’t see the key again. On your server, read it from the
        environment.
      </p>
      ${copyable(freshKey, 'Key')}
      ${codeInLanguages('first-call', 'Create a payment', withKey(readSnippets('create', baseUrl), freshKey))}
      <p><a class="button go" href="${ask.place.home}/start">I’ve run it</a></p>`
  return html`<p class="quiet">
      One call, in six languages, with your own test key in it: copy, paste, run. This step is ticked within 30 seconds of
      the key’s first use.
    </p>
    ${
      may(ask, 'keys.change')
        ? press(
            ask,
            `${ask.place.home}/start/do/key`,
            'Create a test key and show the code',
            { id: `key_${steadyLetters(ask, `key ${keyCount}`)}` },
            'go',
          )
        : html`<p>Owners and developers can create keys. <a href="${prefix}/docs">The guide</a> has the code.</p>`
    }`
}

function setPassword(ask: MemberAsk): Html {
  return html`<div class="card later">
    <div>
      <h2>Keep access</h2>
      <p class="quiet">The link you used works only once. Set a password or passkey so you can sign in again.</p>
    </div>
    <a class="button plain" href="${ask.dashboard.prefix}/dashboard/account">Your account</a>
  </div>`
}

function waiting(ask: MemberAsk, sentence: string): Html {
  return html`<p class="waiting quiet">${sentence} <a href="${ask.place.home}/start">Refresh</a></p>`
}

function may({ place }: MemberAsk, right: Right): boolean {
  return hasRight(place.role, right)
}
