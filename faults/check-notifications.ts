import { createHmac } from 'node:crypto'
import { readJournal, type ReceivedEntry } from './journal.ts'
import { ask, patientDatabase, type Witness } from './stage.ts'
import { Database } from '../src/platform/database/database.ts'
import { webhookSecrets, type WebhookSecret } from '../src/core/notifications/ipn/webhook-secrets.ts'
import { testSecrets } from '../test/support/secrets.ts'

// What merchants were told. The receiver's journal is compared with the payments; signatures are counted again here,
// with nothing of Florin's own code.

type DeliveryRow = {
  readonly digits: string
  readonly tx_ref: string
  readonly event: string
  readonly ids: string[]
  readonly states: string[]
}

/** I6: every end of a payment with a callback_url has one webhook-id, received unless its tries are used up. */
export async function endsAreTold(stage: Witness): Promise<string[]> {
  const rows = await ask<DeliveryRow>(
    stage.databaseUrl,
    `select merchant_id || number as digits, tx_ref, 'payment.' || to_state as event,
       array(select id from deliveries where kind = 'ipn' and deliveries.merchant_id = history.merchant_id
         and deliveries.number = history.number and event = 'payment.' || to_state) as ids,
       array(select state from deliveries where kind = 'ipn' and deliveries.merchant_id = history.merchant_id
         and deliveries.number = history.number and event = 'payment.' || to_state) as states
     from payment_history as history join payments using (merchant_id, number)
     where attempt is null and callback_url is not null and mode = 'test' and merchant_id = $1`,
    [stage.merchant.id],
  )
  const received = new Set(
    readJournal<ReceivedEntry>(stage.receiver.journal).map((entry) => entry.headers['webhook-id']),
  )
  return rows.flatMap((row) => {
    const name = `${row.tx_ref} ${row.event}`
    const [id = '', ...more] = row.ids
    if (id === '' || more.length > 0) return [`${name}: ${row.ids.length} webhook-ids`]
    const [state] = row.states
    if (state === 'delivered' && !received.has(id)) return [`${name}: called delivered, never received`]
    // Waiting is for those whose next try lies ahead; the settling waits for what is due.
    return state === 'delivered' || state === 'failed' || state === 'paused' || state === 'waiting'
      ? []
      : [`${name}: ${state}`]
  })
}

/** I7: every received signature verifies, and one webhook-id always brings the same words. */
export async function signaturesVerify(stage: Witness): Promise<string[]> {
  const secrets = await secretsOf(stage)
  const bodies = new Map<string, string>()
  return readJournal<ReceivedEntry>(stage.receiver.journal).flatMap(({ headers, body }) => {
    const id = headers['webhook-id'] ?? ''
    const broken: string[] = []
    if (!secrets.some(({ secret }) => isSigned(headers, body, secret)))
      broken.push(`${id}: no signature fits`)
    if ((bodies.get(id) ?? body) !== body) broken.push(`${id}: came with other words than before`)
    bodies.set(id, body)
    return broken
  })
}

async function secretsOf(stage: Witness): Promise<WebhookSecret[]> {
  const db = new Database(stage.databaseUrl, { poolSize: 1, ...patientDatabase })
  try {
    return await webhookSecrets({ db, secrets: testSecrets }, { merchantId: stage.merchant.id, mode: 'test' })
  } finally {
    await db.close()
  }
}

function isSigned(headers: Readonly<Record<string, string>>, body: string, secret: string): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  const plain = createHmac('sha256', secret).update(body).digest('hex')
  return (headers['webhook-signature'] ?? '').split(' ').includes(standard) && headers['signature'] === plain
}

/** Deliveries that somebody should be carrying at that moment: due, or under way. */
export async function countDueDeliveries(stage: Witness, at: Date): Promise<number> {
  const [row] = await ask<{ count: number }>(
    stage.databaseUrl,
    // What a dead server had claimed counts until its lease is over; that of a mail is five minutes, and it has gone out.
    `select count(*)::integer as count from deliveries where state = 'waiting' and (tries = 0 or next_try_at <
      $1::timestamptz + case kind when 'ipn' then interval '40 seconds' else interval '-5 seconds' end)`,
    [at],
  )
  return row?.count ?? 0
}
