import type { DisputeStatus } from '../../src/core/networks/hosted.ts'
import { attemptRow, insertRows, paymentNumber, paymentRow } from './rows.ts'
import type { Till } from './till.ts'

// Charges of a live network that somebody disputes, and what the network says of that.

let numbers = 0

/** A live payment of £10.00 that was paid through this account of the network `fake`. */
export async function insertCharge(
  till: Till,
  { merchantId, accountId }: { merchantId: number; accountId: string },
): Promise<{ readonly number: string; readonly charge: string }> {
  numbers += 1
  const number = paymentNumber(numbers)
  const names = { merchant_id: merchantId, number }
  const charge = `pi_${numbers}`
  await insertRows(till.db, 'payments', [paymentRow({ ...names, mode: 'live', state: 'success' })])
  const charged = { state: 'succeeded', connector_reference: `cs_${numbers}`, charge_reference: charge }
  await insertRows(till.db, 'attempts', [
    attemptRow({ ...names, connector: 'fake', account_id: accountId, ...charged }),
  ])
  return { number, charge }
}

/** All of it is disputed and was taken; the merchant has to answer. */
export function disputeStatus(
  dispute: { readonly reference: string; readonly charge: string },
  changes: Partial<DisputeStatus> = {},
): DisputeStatus {
  return {
    kind: 'evidence_due',
    moneyTaken: true,
    disputeReference: dispute.reference,
    chargeReference: dispute.charge,
    money: { amountMinor: 1_000n, currency: 'GBP' },
    reason: 'fraudulent',
    ...changes,
  }
}
