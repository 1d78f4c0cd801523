// How a merchant answers a dispute: with evidence, or by accepting it. Florin keeps none of the evidence, so an answer is
// sent once and never again; when the network's answer is lost, the network is asked whether the reply arrived.

/** In the order in which a form asks for them. */
export const evidenceTexts = [
  'product_description',
  'explanation',
  'shipping_carrier',
  'tracking_number',
  'shipping_date',
  'shipping_address',
  'refund_policy',
  'refund_refused',
  'activity_log',
] as const
export type EvidenceText = (typeof evidenceTexts)[number]

export const evidenceFiles = [
  'receipt_file',
  'delivery_file',
  'messages_file',
  'refund_policy_file',
  'other_file',
] as const
export type EvidenceFileName = (typeof evidenceFiles)[number]

export const evidenceTypes = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
} as const
export type EvidenceType = keyof typeof evidenceTypes

export type EvidenceFile = {
  readonly field: EvidenceFileName
  readonly type: EvidenceType
  readonly bytes: Buffer
}

/** What networks take: each text, and all files together. Stripe's limits, which are the smallest. */
export const evidenceLimits = { textLength: 20_000, filesBytes: 4_500_000 } as const

export type ReplyKey = {
  readonly kind: 'evidence' | 'acceptance'
  readonly disputeReference: string
  readonly idempotencyKey: string
}

export type Evidence = {
  readonly texts: Readonly<Partial<Record<EvidenceText, string>>>
  readonly files: readonly EvidenceFile[]
}

/** Accepting sends no evidence. */
export type DisputeReply = ReplyKey & { readonly evidence: Evidence }

export type ReplyResult =
  | { readonly kind: 'sent' }
  /** The network's own words, for the merchant. */
  | { readonly kind: 'refused'; readonly why: string }

/** Calls end when `signal` does and may throw: both count as no answer. */
export type DisputeReplies = {
  /** Called once per key. */
  reply(reply: DisputeReply, signal: AbortSignal): Promise<ReplyResult>
  /** Whether the network has it, after its answer was lost. */
  fetchReply(reply: ReplyKey, signal: AbortSignal): Promise<{ readonly kind: 'sent' | 'not_sent' }>
}
