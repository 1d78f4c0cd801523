import { inTransaction } from '../src/platform/database/database.ts'
import { lockPayment } from '../src/core/payments/store.ts'
import { makeOutbox } from '../src/core/notifications/outbox.ts'
import { dailyTotals } from '../src/core/payments/daily-totals/count-totals.ts'
import { transition } from '../src/core/payments/transition.ts'
import { createSurely } from './merchant.ts'
import { reachWithinMs, within, type Act, type Fault } from './play.ts'
import { ask } from './stage.ts'

// Mail leaves the house in live mode only, and no live network is connected: the network's word is given by hand.

let count = 0

export const mailFaults: readonly Fault[] = [
  {
    name: 'server killed when a mail was accepted',
    clients: 4,
    runs: { short: 1, long: 100 },
    alone: true,
    stage: { mail: true },
    async strike(act) {
      const server = act.stage.server()
      server.tell({ kind: 'arm', point: 'a mail was accepted', hit: 1, signal: 'SIGKILL' })
      const number = await payLive(act)
      const ended = await within(reachWithinMs, server.ended)
      const at = Date.now()
      if (ended === undefined) return
      await act.stage.startServer()
      act.hit()
      await act.recovered(at)
      await mailIsNoted(act, number)
    },
  },
]

async function payLive(act: Act): Promise<string> {
  const { stage } = act
  count += 1
  const request = {
    url: stage.server().url,
    key: stage.merchant.liveKey,
    idempotencyKey: undefined,
    body: {
      tx_ref: `live-${count}`,
      amount: '10.00',
      currency: 'GBP',
      email: `ada${count}@example.com`,
      first_name: 'Ada',
      last_name: 'Lovelace',
    },
  }
  const created = await createSurely(request, () => true)
  if (created.kind !== 'created') throw new Error(`No live payment: ${JSON.stringify(created)}`)
  const number = created.url.split('/').at(-1)?.slice(8) ?? ''
  const key = { merchantId: stage.merchant.id, number }
  await inTransaction(stage.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    if (payment)
      await transition(
        {
          outbox: makeOutbox(),
          baseUrl: stage.server().url,
          metrics: { paymentMoved: () => {} },
          totals: dailyTotals,
        },
        tx,
        payment,
        'paid',
      )
  })
  return number
}

/** Accepted, and nobody lived to write it down: it must have arrived, and may come once more when the lease ends. */
async function mailIsNoted(act: Act, number: string): Promise<void> {
  const rows = await ask<{ id: string }>(
    act.stage.databaseUrl,
    `select id from deliveries where kind = 'mail' and mode = 'live' and number = $1`,
    [number],
  )
  const id = rows[0]?.id ?? ''
  if (rows.length !== 1 || !act.stage.mailIds.has(id))
    act.breaks('I6', `${number}: ${rows.length} mails, none arrived`)
}
