// The states of a refund, and which event leads from where to where. apply-status.ts is the only writer, and it allows
// exactly what is here. A refund whose network didn't answer stays requested: it never fails while its outcome is
// unknown.

export const refundStates = ['requested', 'submitted', 'succeeded', 'failed'] as const
export type RefundState = (typeof refundStates)[number]

/** The public status: success has the same word everywhere in the API. */
export const refundStatus = {
  requested: 'requested',
  submitted: 'submitted',
  succeeded: 'success',
  failed: 'failed',
} as const satisfies Record<RefundState, string>
export type RefundStatus = (typeof refundStatus)[RefundState]
export const refundStatuses: readonly RefundStatus[] = refundStates.map((state) => refundStatus[state])

export function refundStateOf(status: unknown): RefundState | undefined {
  return refundStates.find((state) => refundStatus[state] === status)
}

type Edge = { readonly from: readonly RefundState[]; readonly to: RefundState }

export const refundEvents = {
  /** The network has it and has not decided. */
  accepted: { from: ['requested'], to: 'submitted' },
  paid_back: { from: ['requested', 'submitted'], to: 'succeeded' },
  refused: { from: ['requested', 'submitted'], to: 'failed' },
  /** It had succeeded, and the customer's bank sent it back. */
  came_back: { from: ['succeeded'], to: 'failed' },
  /** It had failed, and went through all the same. */
  paid_back_late: { from: ['failed'], to: 'succeeded' },
} as const satisfies Record<string, Edge>
export type RefundEvent = keyof typeof refundEvents

/** Where an event leads, or undefined when it must not happen in this state. */
export function nextRefundState(state: RefundState, event: RefundEvent): RefundState | undefined {
  const edge: Edge = refundEvents[event]
  return edge.from.includes(state) ? edge.to : undefined
}

/** What merchants are notified of. */
export const refundIpnEvents = ['refund.success', 'refund.failed'] as const
export type RefundIpnEvent = (typeof refundIpnEvents)[number]

/** The announcement when a refund enters a state. */
export const announcedOn: Readonly<Record<RefundState, RefundIpnEvent | undefined>> = {
  requested: undefined,
  submitted: undefined,
  succeeded: 'refund.success',
  failed: 'refund.failed',
}
