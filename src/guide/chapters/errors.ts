import { refusalCodes, type RefusalCode } from '../../platform/errors/refusals.ts'
import { html } from '../../platform/http/html.ts'
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
    'A mode can have ten endpoints. Delete one, or have one of your programs forward events to the others.',
  validation_failed: 'errors lists every failed rule by field. Nothing was created.',
  malformed_body: 'Send JSON in UTF-8. JSON built by hand often has a missing quote or an extra comma.',
  unauthorized:
    'Send Authorization: Bearer and a key of the right kind. The message says if the key was copied incompletely.',
  live_not_enabled:
    'Use a test key, or ask your operator to switch on live payments: florin merchant live on.',
  merchant_suspended:
    'Requests are refused until the operator of this Florin resumes the account. Payments, refunds and notifications in progress continue.',
  form_refused:
    'Only on the checkout page: its form was sent from another page. Open the checkout_url again.',
  not_allowed: "Only in the dashboard: your role doesn't allow this. An owner can change the role.",
  moved: 'Use the URL in the Location header: the same path without extra slashes.',
  not_found:
    "Check the spelling, the percent-encoding of the path and the mode: a test key can't see live data.",
  method_not_allowed: 'Check the method: the Allow header lists the methods this URL takes.',
  request_timeout: 'The request did not arrive in time. Send it again.',
  tx_ref_taken:
    'This payment already exists: existing in the answer has its status and, while it is pending, its checkout_url. Use a new tx_ref for a new payment; a tx_ref can never be reused.',
  idempotency_conflict: 'Use a new Idempotency-Key for each order, and send the same body when you retry.',
  not_cancellable:
    'The payment has ended, or a customer is paying it right now. Look it up, or wait for the notification.',
  refund_not_allowed:
    'The key was created without permission to refund. Use another key, or create one: florin key create.',
  method_ended: 'Ask the customer for another payment method: create a payment with save.',
  retry_too_early: 'Wait until the time in the message, then charge with a new tx_ref.',
  charge_limit: 'The message says which limit. Charge less, or later.',
  charges_stopped:
    'An owner stopped all charges of saved methods in this mode. Allow them again in the dashboard: Settings, Saved methods.',
  cannot_save: 'Connect a network that saves methods, such as Stripe, or create the payment without save.',
  refund_ref_taken:
    'Use a new refund_ref for each refund. If you lost the answer to a refund, send it again with the same refund_ref, amount and transaction.',
  not_refundable:
    'Look the transaction up: only a paid payment can be refunded, and not while it is disputed.',
  more_than_left: 'Look the transaction up: refunds lists every refund, including those in progress.',
  no_callback_url: 'The payment was created without a callback_url. Send one with the next payment.',
  name_taken: 'Choose another name, or use the project that has it.',
  body_too_large: 'Send at most 64 KiB. Keep large data in your own database and put its key in meta.',
  uri_too_long: 'Shorten the URL. A tx_ref can have 255 characters.',
  unsupported_media_type: 'Send Content-Type: application/json.',
  rate_limited:
    'Wait as long as Retry-After says. Use notifications instead of polling. Many wrong keys from one address also cause this: check yours.',
  headers_too_large:
    'Send fewer or shorter headers; cookies of other programs on the same host are a common cause.',
  internal_error:
    'A bug on our side. Retry with the same Idempotency-Key, and report the x-request-id if it happens again.',
  unavailable:
    'Retry after Retry-After. If message says that something may have been saved, look it up first, or send the same Idempotency-Key, tx_ref or refund_ref again.',
}
