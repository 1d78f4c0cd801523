import { html, type Html } from '../../../platform/http/html.ts'
import {
  evidenceTypes,
  type EvidenceFileName,
  type EvidenceText,
} from '../../../core/networks/dispute-replies.ts'
import { winningText } from '../../../core/test-network/dispute-replies.ts'
import { adviceOn } from '../evidence.ts'
import type { DisputeWithLoss } from '../find-dispute.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { idField } from '../../../dashboard/once.ts'
import {
  crumb,
  field,
  form,
  formatExactly,
  head,
  problems,
  shopTime,
  type Mistakes,
} from '../../../dashboard/parts/parts.ts'
import { section } from '../../../dashboard/parts/things.ts'
import { area } from '../../../dashboard/settings/parts.ts'
import { disputed } from './describe-dispute.ts'
import { disputeStyles } from './dispute-styles.ts'

// Answering a dispute: evidence for the bank, or giving in.

export type AnswerModel = {
  readonly dispute: DisputeWithLoss
  /** The network's public name. */
  readonly network: string
  /** Undefined: it can be answered. */
  readonly reason: string | undefined
}

const texts: Readonly<Record<EvidenceText, readonly [label: string, hint: string]>> = {
  product_description: [
    'What you sold',
    'As your shop described it: what it is, how many, and what it cost.',
  ],
  explanation: [
    'Your side of it',
    'What happened, in a few plain sentences, and anything that doesn’t fit elsewhere.',
  ],
  shipping_carrier: ['Carrier', ''],
  tracking_number: ['Tracking number', ''],
  shipping_date: ['Shipped on', ''],
  shipping_address: ['Shipped to', ''],
  activity_log: ['Use of a download or service', 'When it was used, and from which IP address.'],
  refund_policy: ['Your refund policy', 'What it says, and where the customer saw it before paying.'],
  refund_refused: ['Why you didn’t refund', 'If the customer asked you for the money first.'],
}

const files: Readonly<Record<EvidenceFileName, string>> = {
  receipt_file: 'Receipt or invoice',
  delivery_file: 'Proof of delivery',
  messages_file: 'Your messages with the customer',
  refund_policy_file: 'Your refund policy as a file',
  other_file: 'Another file',
}

/** What was sent, for people: “What you sold, Proof of delivery (file)”. */
export function describeParts(parts: readonly string[]): string {
  return parts
    .map((part) =>
      Object.hasOwn(files, part)
        ? `${files[part as EvidenceFileName]} (file)`
        : (texts[part as EvidenceText]?.[0] ?? part),
    )
    .join(', ')
}

const accepted = Object.entries(evidenceTypes)
  .map(([type, end]) => `${type},.${end}`)
  .join(',')

function upload(name: EvidenceFileName, mistakes: Mistakes): Html {
  const mistake = mistakes[name]
  return html`<div class="field">
    <label for="${name}">${files[name]}</label>
    <input
      id="${name}"
      name="${name}"
      type="file"
      accept="${accepted}"
      ${mistake !== undefined && html`aria-invalid="true" aria-describedby="${name}-error"`}
    />
    ${mistake !== undefined && html`<p class="error" id="${name}-error">${mistake}</p>`}
  </div>`
}

export function answerPage(
  ask: MemberAsk,
  model: AnswerModel,
  typed: FormFields = new Map(),
  mistakes: Mistakes = {},
): Content {
  const { dispute, reason } = model
  const path = `${ask.place.home}/disputes/${dispute.id}`
  return {
    title: `Answer a dispute · ${dispute.tx_ref}`,
    styles: disputeStyles,
    body: html`${head('Send evidence', { crumb: crumb(path, 'Dispute'), lead: leadOf(ask, dispute) })}
      ${problems(mistakes)}
      ${reason === undefined ? answerForm(ask, model, typed, mistakes, path) : notNow(reason, path)}`,
  }
}

function leadOf(ask: MemberAsk, { tx_ref, evidence_due_at: due }: DisputeWithLoss): string {
  return due === null ? tx_ref : `${tx_ref}, due by ${formatExactly(new Date(due), shopTime(ask))}`
}

function notNow(reason: string, path: string): Html {
  return html`<div class="card form">
    <p>${reason}.</p>
    <div><a class="button plain" href="${path}">Back to the dispute</a></div>
  </div>`
}

function answerForm(
  ask: MemberAsk,
  { dispute, network }: AnswerModel,
  typed: FormFields,
  mistakes: Mistakes,
  path: string,
): Html {
  const value = (name: EvidenceText): string => typed.get(name) ?? ''
  const long = (name: EvidenceText): Html => {
    const [label, hint] = texts[name]
    return area({ name, label, hint, value: value(name) }, mistakes)
  }
  const short = (name: EvidenceText): Html => {
    const [label, hint] = texts[name]
    return field(
      { name, label, value: value(name), autocomplete: 'off', ...(hint !== '' && { hint }) },
      mistakes,
    )
  }
  const file = (name: EvidenceFileName): Html => upload(name, mistakes)
  const group = (title: string, content: Html): Html =>
    section(title, html`<div class="card stack">${content}</div>`)
  return html`<form class="stack answer" method="post" action="${path}/answer" enctype="multipart/form-data" novalidate>
    <input type="hidden" name="token" value="${ask.token}" />
    ${idField(typed, 'rpl')}
    <div class="card stack">
      <p>${adviceOn(dispute.reason).says} Send what proves otherwise:</p>
      <ul class="evidence">
        ${dispute.loss.refundedMinor > 0n && html`<li>${refundProof}</li>`}
        ${adviceOn(dispute.reason).send.map((one) => html`<li>${one}</li>`)}
      </ul>
      <p class="quiet">
        Every field is optional. Files are PDF, PNG or JPEG, 4.5 MB together.
        ${dispute.mode === 'test' && html`<b>Test network:</b> write <code>${winningText}</code> into a text to win.`}
      </p>
    </div>
    ${group('The order', html`${long('product_description')} ${file('receipt_file')}`)}
    ${group(
      'Delivery',
      html`<div class="pair">${short('shipping_carrier')} ${short('tracking_number')}</div>
        <div class="pair">${short('shipping_date')} ${short('shipping_address')}</div>
        ${file('delivery_file')} ${long('activity_log')}`,
    )}
    ${group(
      'The customer',
      html`${file('messages_file')} ${long('refund_policy')} ${file('refund_policy_file')} ${long('refund_refused')}`,
    )}
    ${group('In your own words', html`${long('explanation')} ${file('other_file')}`)}
    <div class="card stack">
      <p>
        You can send evidence <b>once</b>, and nobody can change it afterwards. Florin passes it to ${network} and keeps
        none of it: keep your own copies.
      </p>
      <div class="actions">
        <button class="go">Send to ${network}</button>
        <a class="button plain" href="${path}">Go back</a>
      </div>
    </div>
  </form>`
}

export const refundProof = 'Proof of your refund: its date, its amount and its reference at the network.'

export function acceptPage(ask: MemberAsk, model: AnswerModel, mistakes: Mistakes = {}): Content {
  const { dispute, network, reason } = model
  const path = `${ask.place.home}/disputes/${dispute.id}`
  return {
    title: `Accept a dispute · ${dispute.tx_ref}`,
    styles: disputeStyles,
    body: html`${head('Accept this dispute?', { crumb: crumb(path, 'Dispute') })}
      ${problems(mistakes)}
      ${
        reason === undefined
          ? html`<div class="card form">
              <p>
                You tell ${network} that the customer is right. The dispute is lost, the customer keeps
                ${disputed(dispute)}, and you can’t change your mind. The network’s dispute fee stays.
              </p>
              ${form(
                ask,
                `${path}/accept`,
                html`${idField(new Map(), 'rpl')}
                  <div class="actions">
                    <button class="danger">Accept the dispute</button>
                    <a class="button plain" href="${path}">Go back</a>
                  </div>`,
              )}
            </div>`
          : notNow(reason, path)
      }`,
  }
}
