import type Stripe from 'stripe'
import {
  evidenceTypes,
  type DisputeReplies,
  type DisputeReply,
  type EvidenceFile,
  type EvidenceFileName,
  type EvidenceText,
  type ReplyKey,
  type ReplyResult,
} from '../../core/networks/dispute-replies.ts'
import type { Account } from '../../core/networks/hosted.ts'
import { ask, isMissing, valueOf, type StripeAnswer, type StripeWay } from './client.ts'

// Files are uploaded first, which decides nothing; then one call sets the evidence and submits it. Stripe takes evidence
// once. Our mark on the dispute says later whether that call arrived.

const mark = 'florin_reply'

type StripeField = keyof Stripe.DisputeUpdateParams.Evidence

const textFields = {
  product_description: 'product_description',
  explanation: 'uncategorized_text',
  shipping_carrier: 'shipping_carrier',
  tracking_number: 'shipping_tracking_number',
  shipping_date: 'shipping_date',
  shipping_address: 'shipping_address',
  refund_policy: 'refund_policy_disclosure',
  refund_refused: 'refund_refusal_explanation',
  activity_log: 'access_activity_log',
} as const satisfies Readonly<Record<EvidenceText, StripeField>>

const fileFields = {
  receipt_file: 'receipt',
  delivery_file: 'shipping_documentation',
  messages_file: 'customer_communication',
  refund_policy_file: 'refund_policy',
  other_file: 'uncategorized_file',
} as const satisfies Readonly<Record<EvidenceFileName, StripeField>>

type Sent = (typeof textFields)[EvidenceText] | (typeof fileFields)[EvidenceFileName]

export function disputeReplies(way: StripeWay, account: Account): DisputeReplies {
  return {
    reply: async (reply, signal) =>
      reply.kind === 'acceptance'
        ? accept(way, account, reply, signal)
        : sendEvidence(way, account, reply, signal),
    fetchReply: async (reply, signal) => fetchReply(way, account, reply, signal),
  }
}

async function sendEvidence(
  way: StripeWay,
  account: Account,
  { disputeReference, idempotencyKey, evidence }: DisputeReply,
  signal: AbortSignal,
): Promise<ReplyResult> {
  const sent: Partial<Record<Sent, string>> = {}
  for (const [name, text] of Object.entries(evidence.texts)) sent[textFields[name as EvidenceText]] = text
  for (const file of evidence.files) {
    const uploaded = await upload(way, account, file, `${idempotencyKey}-${file.field}`, signal)
    if (uploaded.kind === 'refused') return resultOf(uploaded)
    sent[fileFields[file.field]] = uploaded.value.id
  }
  const submitted = await ask(way, account, signal, (stripe) =>
    stripe.disputes.update(
      disputeReference,
      { evidence: sent, metadata: { [mark]: idempotencyKey }, submit: true },
      { idempotencyKey },
    ),
  )
  return resultOf(submitted)
}

async function upload(
  way: StripeWay,
  account: Account,
  { field, type, bytes }: EvidenceFile,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<StripeAnswer<Stripe.File>> {
  // Named after what it is: the merchant's own name for the file may say who the customer is.
  const file = { name: `${field}.${evidenceTypes[type]}`, type, data: bytes }
  return ask(way, account, signal, (stripe) =>
    stripe.files.create({ purpose: 'dispute_evidence', file }, { idempotencyKey }),
  )
}

async function accept(
  way: StripeWay,
  account: Account,
  { disputeReference, idempotencyKey }: ReplyKey,
  signal: AbortSignal,
): Promise<ReplyResult> {
  const closed = await ask(way, account, signal, (stripe) =>
    stripe.disputes.close(disputeReference, {}, { idempotencyKey }),
  )
  return resultOf(closed)
}

function resultOf(answer: StripeAnswer<unknown>): ReplyResult {
  return answer.kind === 'ok' ? { kind: 'sent' } : { kind: 'refused', why: answer.why }
}

/** An accepted dispute is lost; Stripe lets nobody mark one while closing it. */
async function fetchReply(
  way: StripeWay,
  account: Account,
  { kind, disputeReference, idempotencyKey }: ReplyKey,
  signal: AbortSignal,
): Promise<{ readonly kind: 'sent' | 'not_sent' }> {
  const found = await ask(way, account, signal, (stripe) => stripe.disputes.retrieve(disputeReference))
  if (isMissing(found)) return { kind: 'not_sent' }
  const { metadata, status } = valueOf(found)
  const isSent = kind === 'acceptance' ? status === 'lost' : metadata[mark] === idempotencyKey
  return { kind: isSent ? 'sent' : 'not_sent' }
}
