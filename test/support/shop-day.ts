import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { openDispute } from '../../src/modules/disputes/record-answer.ts'
import type { DisputeStatus } from '../../src/core/networks/connector.ts'
import { drawDeliveryId } from '../../src/core/notifications/delivery-id.ts'
import { insertDeliveries } from '../../src/core/notifications/store.ts'
import { lookNow } from '../../src/modules/payouts/ask/look-now.ts'
import { readPayouts } from '../../src/modules/payouts/find-payouts.ts'
import type { House } from './house.ts'
import { paidPayment, refund, refundIn, type Paid } from './refunds.ts'
import type { cards } from './till.ts'
import { waitUntil } from './wait-until.ts'

// What happens in a shop on some day, for those who look at it at the dashboard.

let drawn = 0

/** A refund of £10.00, by the API. */
export async function someRefund(
  house: House,
  card: keyof typeof cards = 'good',
  body: Record<string, unknown> = {},
): Promise<{ readonly id: string; readonly ref: string; readonly payment: Paid }> {
  const payment = await paidPayment(house, card)
  const { refund_ref: ref } = refundIn(await refund(house, payment, body))
  const [row] = await house.db.query<{ id: string }>(sql`
    select id from refunds where merchant_id = ${house.merchantId} and refund_ref = ${ref}`)
  return { id: row?.id ?? '', ref, payment }
}

/** A payout of the test network, of everything that it holds. */
export async function somePayout({ app, db, merchantId }: House): Promise<string> {
  const of = { merchantId, mode: 'test' } as const
  await lookNow(app.paying, of)
  const { payouts } = await readPayouts(db, of, {})
  const [newest] = payouts
  if (!newest) throw new Error('The test network paid nothing out')
  return newest.id
}

/** The bank asks for a payment back, as if its network had said so. */
export async function someDispute(
  house: House,
  said: Partial<DisputeStatus> = {},
): Promise<{ readonly id: string; readonly payment: Paid; readonly reference: string }> {
  const payment = await paidPayment(house)
  drawn += 1
  const reference = `dp_${process.pid}_${drawn}`
  const { merchantId, number } = payment
  const status: DisputeStatus = {
    kind: 'evidence_due',
    moneyTaken: true,
    disputeReference: reference,
    chargeReference: reference,
    money: { amountMinor: 1_000n, currency: 'GBP' },
    reason: 'product_not_received',
    evidenceDueAt: new Date(house.app.paying.now().getTime() + 7 * 24 * 3_600_000),
    ...said,
  }
  const asked = { merchantId, connector: 'test', accountId: 'test', reference }
  await openDispute(house.app.paying, { asked, number, status })
  const [row] = await house.db.query<{ id: string }>(sql`
    select id from disputes where merchant_id = ${merchantId} and reference = ${reference}`)
  return { id: row?.id ?? '', payment, reference }
}

export type Wanted = {
  readonly origin?: string
  readonly mode?: 'test' | 'live'
  readonly kind?: 'ipn' | 'mail'
  readonly state?: 'waiting' | 'delivered' | 'failed' | 'paused' | 'kept'
  readonly event?: string
  readonly target?: string
  readonly body?: string
  readonly merchantId?: number
  /** Of its one try; none without. */
  readonly status?: number
  readonly error?: string
  readonly answer?: string
}

/** A delivery that is where it is wanted; nobody carries it. */
export async function someDelivery(house: House, wanted: Wanted = {}): Promise<string> {
  const { origin = 'https://shop.example', mode = 'test', kind = 'ipn', state = 'failed' } = wanted
  const merchantId = wanted.merchantId ?? house.merchantId
  const id = drawDeliveryId(kind === 'ipn' ? 'evt' : 'msg')
  const delivery = {
    merchant_id: merchantId,
    id,
    kind,
    mode,
    event: wanted.event ?? 'payment.success',
    number: null,
    target: wanted.target ?? `${origin}/ipn`,
    origin: kind === 'mail' ? 'mail' : origin,
    body: wanted.body ?? '{"event":"payment.success","amount":10.00}',
    state: 'kept' as const,
  }
  await inTransaction(house.db, async (tx) => insertDeliveries(tx, merchantId, [delivery]))
  await house.db.query(sql`
    update deliveries set state = ${state}, tries = 1, created_at = now() - interval '1 hour',
      next_try_at = ${state === 'waiting' ? new Date(Date.now() + 3_600_000) : null}
    where merchant_id = ${merchantId} and id = ${id}`)
  if (wanted.status !== undefined || wanted.error !== undefined)
    await house.db.query(sql`
      insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status, error, answer)
      values (${merchantId}, ${id}, 1, now(), 12, ${wanted.status ?? null}, ${wanted.error ?? null},
              ${wanted.answer ?? null})`)
  return id
}

/** The newest mail of a mode. */
export async function newestMail(house: House, mode: 'test' | 'live' = 'test'): Promise<string> {
  const [row] = await house.db.query<{ id: string }>(sql`
    select id from deliveries where merchant_id = ${house.merchantId} and mode = ${mode} and kind = 'mail'
    order by created_at desc, id desc limit 1`)
  return row?.id ?? ''
}

/** What the customer is written about a refund; a page goes with it. */
export async function refundMail(house: House): Promise<string> {
  let id = ''
  await waitUntil('the mail about a refund is written', async () => {
    const [row] = await house.db.query<{ id: string }>(sql`
      select id from deliveries where merchant_id = ${house.merchantId} and kind = 'mail' and event like '%refund%'
      order by created_at desc, id desc limit 1`)
    id = row?.id ?? ''
    return id !== ''
  })
  return id
}
