import { ConflictError, type Transaction } from './client.ts'

// The refund_ref of a refund is its payment and a number: payses_01ABC-1-r1.

/** The first number that neither a refund recorded by Medusa nor a failed refund has. */
export function nextRefundRef({ tx_ref: txRef, refunds = [] }: Transaction, known: number): string {
  const failed = refunds.filter(
    ({ refund_ref: ref, status }) => status === 'failed' && String(ref).startsWith(`${txRef}-r`),
  )
  return `${txRef}-r${known + failed.length + 1}`
}

/** The answer to an earlier refund was lost, and this one has another amount. */
export function explainTaken(error: unknown, { refunds = [] }: Transaction, refundRef: string): never {
  if (!(error instanceof ConflictError) || error.code !== 'refund_ref_taken') throw error
  const before = refunds.find(({ refund_ref: ref }) => ref === refundRef)
  throw new Error(
    `Florin made an earlier refund of ${String(before?.['amount'])}, but its answer was lost. Refund that amount first: Medusa then records it, and no money moves twice.`,
    { cause: error },
  )
}
