import { ipnBody } from '../announce.ts'
import { drawDeliveryId } from '../delivery-id.ts'
import { receiverOf } from '../receiver-of.ts'
import { insertSample } from '../record-store.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import { sendIpn, type IpnSender, type Outcome } from './send-ipn.ts'
import type { Mode } from '../../merchants/mode.ts'

// A sample, sent while the developer waits: signed and shaped like the real thing, tried once.

/** Shorter than a real try, since a request to us may take ten seconds in all. */
const sampleTimeoutMs = 8_000

export type Sample = {
  readonly merchantId: number
  readonly mode: Mode
  readonly event: string
  readonly target: string
  readonly transactionJson: string
  /** For an endpoint, with its secrets as stored. */
  readonly endpointId?: string
  readonly secrets?: readonly string[]
  /** For the audit log. */
  readonly by?: Actor
}

export async function sendTestNotification(
  sender: IpnSender,
  sample: Sample,
): Promise<Outcome & { readonly id: string }> {
  const { merchantId, mode, event, target } = sample
  const id = drawDeliveryId('evt')
  const body = ipnBody(event, sample.transactionJson)
  const at = sender.now().toISOString()
  const outcome = await sendIpn(sender, {
    merchantId,
    mode,
    id,
    target,
    body,
    secrets: sample.secrets ?? null,
    endpointId: sample.endpointId ?? null,
    timeoutMs: sampleTimeoutMs,
  })
  const { ms, status, error, answer } = outcome
  const delivered = outcome.verdict === 'delivered'
  const origin = sample.endpointId === undefined ? receiverOf(target) : target
  const sent = {
    merchantId,
    id,
    mode,
    event,
    target,
    origin,
    endpointId: sample.endpointId ?? null,
    body,
    at,
    ms,
    status,
    error,
    answer,
    delivered,
  }
  await inTransaction(sender.db, async (tx) => {
    await insertSample(tx, sent)
    const after = { mode, event, target, delivered }
    if (sample.by)
      await recordAct(tx, merchantId, sample.by, { action: 'notifications.test_sent', subject: id, after })
  })
  return { ...outcome, id }
}
