import { applyStatus } from '../../src/modules/refunds/apply-status.ts'
import { reconcileRefunds } from '../../src/modules/refunds/reconcile-refunds.ts'
import { requestRefund } from '../../src/modules/refunds/request-refund.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makeRefunding, type Refunding } from '../../src/modules/refunds/refunding.ts'
import { makeMetrics } from '../../src/platform/http/metrics.ts'
import type { App } from '../../src/app/app.ts'
import { lockPayment } from '../../src/core/payments/store.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { call, post, type Answer, type House } from './house.ts'
import { createPayment } from './pay.ts'
import { cards } from './till.ts'

// Money that goes back, by the API and as if its network had said so.

export type Paid = { readonly txRef: string; readonly number: string; readonly merchantId: number }

export type ShownRefund = {
  readonly refund_ref: string
  readonly status: string
  readonly amount: string
  readonly fee_returned: string
  readonly failure?: string
  readonly history?: readonly { readonly status: string }[]
}

/** A test payment of £10.00 that was paid with this card. */
export async function paidPayment(
  house: House,
  card: keyof typeof cards = 'good',
  fields: Record<string, unknown> = {},
): Promise<Paid> {
  const payment = await createPayment(house, { amount: '10.00', ...fields })
  const { kind } = await house.app.payer.pay({ ...payment, mode: 'test' }, cards[card])
  if (kind !== 'paid') throw new Error(`The payment is ${kind}`)
  return payment
}

let drawn = 0

export async function refund(
  house: House,
  { txRef }: Pick<Paid, 'txRef'>,
  body: Record<string, unknown> = {},
  key: string = house.secretKey,
): Promise<Answer> {
  drawn += 1
  const path = `${house.url}/api/transaction/${encodeURIComponent(txRef)}/refund`
  return post(path, { refund_ref: `r-${process.pid}-${drawn}`, ...body }, key)
}

export function refundIn(answer: Answer): ShownRefund {
  return answer.json.data
}

export async function findRefund(house: House, refundRef: string): Promise<ShownRefund> {
  return refundIn(await call(`${house.url}/api/refunds/${refundRef}`, { key: house.secretKey }))
}

const refundings = new WeakMap<App, Refunding>()

/** As the module has it. */
export function refundingOf(app: App): Refunding {
  const { core, paying, findMerchant } = app
  const known =
    refundings.get(app) ?? makeRefunding({ ...core, paying, findMerchant, metrics: makeMetrics() })
  refundings.set(app, known)
  return known
}

export async function workOnRefunds(refunding: Refunding): Promise<void> {
  while ((await reconcileRefunds(refunding)) > 0);
}

/** A refund of all of a payment, as if its network had said so at once. */
export async function refundHappens(
  house: House,
  key: { merchantId: number; number: string },
): Promise<void> {
  const refunding = refundingOf(house.app)
  const payment = await inTransaction(house.db, async (tx) => lockPayment(tx, key))
  if (!payment) throw new Error('There is no such payment')
  drawn += 1
  const request = { refundRef: `r-${process.pid}-${drawn}`, amountMinor: undefined, reason: undefined }
  const requested = await requestRefund(refunding, payment, request, bySystem)
  const { id } = requested.refund
  await applyStatus(
    refunding,
    { ...key, id },
    { kind: 'succeeded', connector: 'test_network', refundReference: `ref-${id}` },
  )
}
