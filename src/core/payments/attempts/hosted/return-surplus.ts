import type { RefundOrder, RefundStatus } from '../../../networks/hosted.ts'
import { inTransaction } from '../../../../platform/database/database.ts'
import { askNetwork } from '../ask-network.ts'
import { attemptKey, findAttempt, scheduleCheck, type AttemptKey, type AttemptRow } from '../attempt-store.ts'
import { keyMemoryMs, nextCheckAt } from '../check-schedule.ts'
import { moveAttempt } from '../move-attempt.ts'
import { reportChargeProblem } from '../report-charge-problem.ts'
import { lockPayment } from '../../store.ts'
import type { Paying } from '../paying.ts'
import { accountOf } from './account-of.ts'
import { keepRefundReference } from './hosted-store.ts'

// Surplus money is returned to the customer, requested until the network confirms it.

export async function returnSurplus(paying: Paying, attempt: AttemptRow): Promise<void> {
  const refund = refundOf(attempt)
  // The test network's cards have no refunds.
  if (attempt.account_id === null || !refund) return reportStuck(paying, attempt)
  const status = await askNetwork(paying.log, async (signal) =>
    refundOrFetch(paying, attempt, refund, signal),
  )
  if (status.kind === 'no_answer') return
  if (status.kind === 'failed' || status.kind === 'not_found') return reportStuck(paying, attempt)
  if (attempt.refund_reference === null)
    await keepRefundReference(paying.db, attemptKey(attempt), status.refundReference)
  if (status.kind === 'succeeded') await moneyReturned(paying, attemptKey(attempt))
  else await waitLonger(paying, attempt)
}

async function refundOrFetch(
  paying: Paying,
  attempt: AttemptRow,
  refund: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const { connector, account } = await accountOf(paying, attempt)
  const ageMs = paying.now().getTime() - refund.requestedAt.getTime()
  const mayAsk = refund.refundReference === undefined && ageMs < keyMemoryMs
  return mayAsk ? connector.refund(account, refund, signal) : connector.fetchRefund(account, refund, signal)
}

/** The idempotency key of the automatic return. */
export function surplusKey(idempotencyKey: string): string {
  return `surplus-${idempotencyKey}`
}

function refundOf(attempt: AttemptRow): RefundOrder | undefined {
  const { connector_reference, charge_reference, charged_minor, charged_currency } = attempt
  if (!connector_reference || !charge_reference || charged_minor === null || !charged_currency)
    return undefined
  return {
    merchantId: attempt.merchant_id,
    refundId: surplusKey(attempt.idempotency_key),
    idempotencyKey: surplusKey(attempt.idempotency_key),
    // When it was found to be surplus: nothing else has touched the row since.
    requestedAt: new Date(attempt.updated_at),
    connectorReference: connector_reference,
    chargeReference: charge_reference,
    amountMinor: charged_minor,
    currency: charged_currency,
    refundedBeforeMinor: 0n,
    chargedMinor: charged_minor,
    refundReference: attempt.refund_reference ?? undefined,
  }
}

async function moneyReturned(paying: Paying, key: AttemptKey): Promise<void> {
  await inTransaction(paying.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!payment || !before) return
    const { mode } = payment
    await moveAttempt(paying, tx, { before, mode, event: 'money_returned', at: paying.now() })
  })
}

async function waitLonger(paying: Paying, attempt: AttemptRow): Promise<void> {
  const checks = attempt.checks + 1
  const at = nextCheckAt(checks, new Date(attempt.updated_at), paying.now())
  if (!at) return reportStuck(paying, attempt)
  await scheduleCheck(paying.db, attemptKey(attempt), { checks, at })
}

/** Once: nothing is asked any more, and a person has to see to it. */
async function reportStuck(paying: Paying, attempt: AttemptRow): Promise<void> {
  const { charged_minor, charged_currency } = attempt
  await inTransaction(paying.db, async (tx) => {
    const payment = await lockPayment(tx, attemptKey(attempt))
    if (!payment) throw new Error('An attempt has no payment')
    await reportChargeProblem(paying, tx, 'stuck', {
      payment,
      attempt: attempt.attempt,
      charged:
        charged_minor !== null && charged_currency !== null
          ? { amountMinor: charged_minor, currency: charged_currency }
          : undefined,
    })
  })
  await scheduleCheck(paying.db, attemptKey(attempt), { checks: attempt.checks + 1, at: null })
}
