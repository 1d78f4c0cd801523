import { refusalCodes, type RefusalCode } from '../../errors/refusals.ts'
import { html } from '../../http/html.ts'
import type { ChapterText, Section } from '../book.ts'

export function errorsChapter(): ChapterText {
  const codes: Section[] = refusalCodes().map(({ code, status, message }) => ({
    id: code,
    title: code,
    body: html`<dt><code>${code}</code> <span class="quiet figures">${status}</span></dt>
      <dd class="quiet">“${message}”</dd>
      <dd>${whatToDo[code]}</dd>`,
  }))
  return {
    menu: 'Errors',
    title: 'Errors, and what to do about each',
    lead: 'Branch on code, show message to a developer, keep x-request-id: it finds the call in our log.',
    sections: [
      {
        id: 'again-or-not',
        title: 'Which to try again',
        body: html`<p>
            <strong>429 and 503</strong>: wait as long as <code>Retry-After</code> says, then send the same call with
            the same <code>Idempotency-Key</code>. <strong>500</strong>, and no answer at all: look the payment up, or
            send the same call with the same <code>Idempotency-Key</code>. <strong>Every other 4xx</strong>: the same
            call gets the same answer; change it first.
          </p>`,
      },
      {
        id: 'codes',
        title: 'Codes',
        body: html`<dl class="codes">
          ${codes.map(({ id, body }) => html`<div id="${id}">${body}</div>`)}
        </dl>`,
        parts: codes,
      },
      {
        id: 'declined',
        title: 'A declined card is no error',
        body: html`<p>
            It happens on the checkout page, between the customer and the bank. Your program sees a payment that stays
            <code>pending</code> while the customer tries another card, and <code>failed</code> after ten.
          </p>`,
      },
    ],
  }
}

/** The compiler asks for a line when there is a new code. */
const whatToDo: Readonly<Record<RefusalCode, string>> = {
  endpoint_taken:
    'The message names the endpoint with this URL. Change that one, or roll its secret if you lost it.',
  too_many_endpoints:
    'Each mode has ten endpoints at most. Delete one, or let one program pass events on to others.',
  validation_failed: 'Read errors: it lists every rule that failed, by field. Nothing was made.',
  malformed_body:
    'Send JSON in UTF-8. A text that was put together by hand often lacks a quote or has a comma too many.',
  unauthorized:
    'Send Authorization: Bearer and a key of the right kind. A key that was copied with a letter missing is told apart at once.',
  live_not_enabled: 'Use a test key, or have live payments switched on: florin merchant live on.',
  merchant_suspended:
    'Nothing is taken until whoever runs this Florin resumes the account. Payments, refunds and notifications that were under way go on.',
  form_refused: 'Of the checkout page: its form was sent from elsewhere. Open the checkout_url anew.',
  not_allowed:
    'Of the dashboard: a person asked for what their role may not do. An owner can change the role.',
  moved: 'Ask at the address in the Location header: the same path without extra slashes.',
  not_found:
    'Look at the spelling, at the encoding of the path, and at the mode: a test key does not see what a live key made.',
  method_not_allowed: 'Look at the method: the Allow header lists those that this address knows.',
  request_timeout: 'The request did not arrive in time. Send it again.',
  tx_ref_taken:
    'You made this payment before: existing in the answer has its status and, while it is pending, its checkout_url. For a new payment take a new tx_ref; they are never free again.',
  idempotency_conflict:
    'Take a new Idempotency-Key for each order, and send the same body when you repeat a call.',
  not_cancellable: 'It has ended, or somebody is paying right now. Look it up, or wait for the notification.',
  refund_not_allowed:
    'The key was made without the right to refund. Use another one, or make one: florin key create.',
  refund_ref_taken:
    'Take a new refund_ref for each refund. To ask again for one whose answer you lost, send the same amount to the same transaction.',
  not_refundable:
    'Look the transaction up: only money that is there can go back, and not while its bank decides about it.',
  more_than_left: 'Look the transaction up: refunds lists what went back, or is about to.',
  no_callback_url: 'The payment was made without a callback_url. Send one with the next payment.',
  name_taken: 'Take another name, or use the project that has it.',
  body_too_large:
    'Send less: 64 KiB hold any payment. Large things belong in your own database, with a key in meta.',
  uri_too_long: 'Shorten the address. A tx_ref has 255 characters at most.',
  unsupported_media_type: 'Send Content-Type: application/json.',
  rate_limited:
    'Wait as long as Retry-After says. Notifications spare you most look-ups. Many wrong keys from one address end here too: check yours.',
  headers_too_large:
    'Send fewer or shorter headers; cookies of other programs on the same host are a usual cause.',
  internal_error:
    'A mistake of ours. Try again with the same Idempotency-Key, and tell us the x-request-id if it stays.',
  unavailable:
    'Try again after Retry-After. Where message says that something may have been saved, look it up first, or send the same Idempotency-Key, tx_ref or refund_ref again.',
}
