import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { inTransaction } from '../src/database/database.ts'
import { lockPayment } from '../src/payments/store.ts'
import { makeOutbox } from '../src/notifications/outbox.ts'
import { transition } from '../src/payments/transition.ts'
import { createOnce } from './merchant.ts'
import { within, type Act, type Fault } from './play.ts'
import { ask } from './stage.ts'
import { freePort } from './server.ts'

// Mail leaves the house in live mode only, and no live network is connected: the network's word is given by hand.

const smtpPort = await freePort()
const mailIds: string[] = []
let sink: SMTPServer | undefined
let count = 0

export const mailFaults: readonly Fault[] = [
  {
    name: 'server killed when a mail was accepted',
    clients: 4,
    runs: { short: 1, long: 100 },
    alone: true,
    stage: { settings: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` } },
    async begin() {
      sink ??= await openSink()
    },
    async strike(act) {
      const server = act.stage.server()
      server.tell({ kind: 'arm', point: 'a mail was accepted', hit: 1, signal: 'SIGKILL' })
      const number = await payLive(act)
      const ended = await within(30_000, server.ended)
      const at = Date.now()
      if (ended === undefined) return
      await act.stage.startServer()
      act.hit()
      await act.recovered(at)
      await mailIsNoted(act, number)
    },
  },
]

async function openSink(): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mailIds.push(/^message-id: <([^@>]+)/im.exec(Buffer.concat(chunks).toString('utf8'))?.[1] ?? '')
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(smtpPort, '127.0.0.1')
  await once(server.server, 'listening')
  server.server.unref()
  return server
}

async function payLive(act: Act): Promise<string> {
  const { stage } = act
  count += 1
  const created = await createOnce({
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
  })
  const number = created?.checkoutUrl?.split('/').at(-1)?.slice(8) ?? ''
  const key = { merchantId: stage.merchant.id, number }
  await inTransaction(stage.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    if (payment)
      await transition(
        { outbox: makeOutbox(), baseUrl: stage.server().url, metrics: { paymentMoved: () => {} } },
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
  if (rows.length !== 1 || !mailIds.includes(id))
    act.breaks('I6', `${number}: ${rows.length} mails, none arrived`)
  await pause(10)
}
