import { heardByForeignKey } from '../foreign-key.ts'
import { lookUp } from '../merchant.ts'
import { ask, type Witness } from '../stage.ts'
import { chargesOf, type LiveWorld } from './world.ts'

// The promises about live payments, by the books of the networks that were paid.

type PaymentRow = {
  readonly number: string
  readonly tx_ref: string
  readonly state: string
  readonly amount_minor: string
  readonly currency: string
}

/** I3: at most one charge per payment. */
export async function oneLiveCharge({ live }: Witness): Promise<string[]> {
  if (!live) return []
  const byNumber = Map.groupBy(chargesOf(live.networks), ({ number }) => number)
  return [...byNumber]
    .filter(([, charges]) => charges.length > 1)
    .map(([number, charges]) => `${number}: charged ${charges.length} times by live networks`)
    .concat(capturedWithTwoKeys(live.networks.paypal.books))
}

/** A capture whose answer was lost may be sent again, and never with another key. */
function capturedWithTwoKeys({ orders }: LiveWorld['networks']['paypal']['books']): string[] {
  return [...orders.values()]
    .filter(({ captureKeys }) => captureKeys.size > 1)
    .map(({ id, captureKeys }) => `${id}: PayPal was asked to capture it with ${captureKeys.size} keys`)
}

/** I4: success if and only if charged; and who was shown "paid" has paid. */
export async function liveSuccessMeansCharged(stage: Witness): Promise<string[]> {
  const { live } = stage
  if (!live) return []
  const charged = new Set(chargesOf(live.networks).map(({ number }) => number))
  const rows = await livePayments(stage)
  const paid = new Set(rows.filter(({ state }) => state === 'success').map(({ number }) => number))
  const apart = rows
    .filter(({ number }) => paid.has(number) !== charged.has(number))
    .map(({ tx_ref: txRef, state, number }) => {
      const has = charged.has(number) ? 'has' : 'has not'
      return `${txRef}: ${state}, and the live network ${has} charged`
    })
  const shown = [...live.shownPaid]
    .filter(({ number }) => !paid.has(number))
    .map(({ txRef }) => `${txRef}: the customer was shown that it is paid, and it is not`)
  return [...apart, ...shown]
}

/** I8: nothing of live mode is reachable with a test key, nor by another merchant, nor by a callback of theirs. */
export async function liveTenantsStayApart(stage: Witness): Promise<string[]> {
  if (!stage.live) return []
  const broken: string[] = []
  for (const { txRef } of stage.live.payments.slice(-checkedMax)) {
    for (const key of [stage.merchant.testKey, stage.stranger.testKey, stage.stranger.liveKey])
      broken.push(...(await heardByForeignKey(stage.server().url, txRef, key)))
  }
  const heard = await ask<{ event_id: string; state: string }>(
    stage.databaseUrl,
    `select event_id, state from callback_events where merchant_id = $1 and state <> 'unknown'`,
    [stage.stranger.id],
  )
  return [
    ...broken,
    ...heard.map((one) => `${one.event_id}: a stranger's callback about our payment is ${one.state}`),
  ]
}

const checkedMax = 20

/** I12: paid as owed by the network's own word; nothing that was forged was kept. */
export async function livePaidAsOwed(stage: Witness): Promise<string[]> {
  const { live } = stage
  if (!live) return []
  const owed = new Map((await livePayments(stage)).map((row) => [row.number, row]))
  const otherwise = chargesOf(live.networks)
    .filter(({ number, amountMinor, currency }) => {
      const row = owed.get(number)
      return (
        row?.state === 'success' && (row.amount_minor !== String(amountMinor) || row.currency !== currency)
      )
    })
    .map(({ number }) => `${number}: is paid, and the live network says otherwise`)
  const kept = await ask<{ event_id: string }>(
    stage.databaseUrl,
    `select event_id from callback_events where event_id like '%forged%'`,
  )
  return [...otherwise, ...kept.map((one) => `${one.event_id}: a forged callback was stored`)]
}

/**
 * Paid at a network and not known here, or told and due to be asked about. A killed server holds the callbacks it was working on
 * for a minute more, and they may be about a payment that was cancelled, whose page can still be paid on.
 */
export async function countLiveInFlight(stage: Witness, at: Date): Promise<number> {
  const { live } = stage
  if (!live) return 0
  const charged = new Set(chargesOf(live.networks).map(({ number }) => number))
  const unpaid = (await livePayments(stage)).filter(
    ({ number, state }) => charged.has(number) && state !== 'success',
  )
  const open = await ask<{ number: string }>(
    stage.databaseUrl,
    `select number from attempts join payments using (merchant_id, number)
     where payments.mode = 'live' and attempts.state = 'action_required'`,
  )
  // One whose network gave no answer is asked about again in minutes; what it tells of is counted above.
  const waiting = await ask(
    stage.databaseUrl,
    `select from callback_events where state = 'waiting' and about = 'order' and next_try_at <= $1`,
    [at],
  )
  const counted = new Set(unpaid.map(({ number }) => number))
  const here = open.filter(({ number }) => charged.has(number) && !counted.has(number))
  return unpaid.length + here.length + waiting.length
}

/** PayPal reviews what we capture, and banks send money back, after the customers have gone: nobody else would decide it. */
export function endReviews({ live }: Witness): void {
  if (!live) return
  const { paypal, gocardless } = live.networks
  for (const { id, status } of gocardless.books.refunds.values())
    if (status === 'created') gocardless.moveRefund(id, 'paid')
  for (const { id, status } of paypal.books.captures.values())
    if (status === 'PENDING') paypal.moveCapture(id, 'COMPLETED')
}

/** A merchant's program that polls: where a callback was lost and the customer never came back, it makes Florin ask. */
export async function lookUpPending(stage: Witness): Promise<void> {
  const rows = await livePayments(stage)
  for (const { tx_ref: txRef } of rows.filter(({ state }) => state === 'pending')) {
    await lookUp(stage.server().url, stage.merchant.liveKey, txRef).catch(() => {})
  }
}

async function livePayments({ databaseUrl, merchant }: Witness): Promise<PaymentRow[]> {
  return ask<PaymentRow>(
    databaseUrl,
    `select number, tx_ref, state, amount_minor::text, currency from payments
     where merchant_id = $1 and mode = 'live' and tx_ref like 'live-order-%'`,
    [merchant.id],
  )
}
