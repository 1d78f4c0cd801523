import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApp, type App } from '../src/app/app.ts'
import { Database, inTransaction } from '../src/platform/database/database.ts'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { sql } from '../src/platform/database/sql.ts'
import { makeLog } from '../src/platform/http/log.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { drawDeliveryId } from '../src/core/notifications/delivery-id.ts'
import { insertDeliveries } from '../src/core/notifications/store.ts'
import { insertPayments, type NewPayment } from '../src/core/payments/create-store.ts'
import { lockPayment } from '../src/core/payments/store.ts'
import { transition } from '../src/core/payments/transition.ts'
import { testConfig } from '../test/support/house.ts'
import { testKeyRing } from '../test/support/secrets.ts'
import { openReceiver, type Receiver } from '../test/support/receiver.ts'
import { quantile } from './measure.ts'

// node bench/notifications.ts: from the commit of a payment to its IPN at the receiver, when idle and beside a dead
// receiver with 10,000 waiting; how many go out a second; and what a NOTIFY in each transaction would cost.

const deadBacklog = 10_000
const samples = 400
const burst = 3_000

type Paid = { readonly merchantId: number; readonly number: string }

const dataDir = mkdtempSync(join(tmpdir(), 'florin-bench-'))
const postgres = await startEmbedded({ dataDir, settings: { max_connections: '200' } })
await migrate(postgres.url)
const app = makeApp(testConfig(), postgres.url, testKeyRing(), makeLog('silent'))
const worker = app.startWorker()
const dead = await openReceiver(() => {})
const good = await openReceiver()
try {
  say('idle', await latencies(app, good))
  await seedBacklog(app, dead)
  say(`beside ${deadBacklog.toLocaleString('en')} of a dead receiver`, await latencies(app, good))
  await throughput(app, good)
  await notifyCost(postgres.url)
} finally {
  await Promise.all([dead.close(), good.close()])
  await worker.stop()
  await app.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function latencies(site: App, receiver: Receiver): Promise<number[]> {
  const merchantId = await createMerchant(site.db, { name: 'Good' })
  const payments = await createPayments(site, merchantId, receiver.url, samples)
  const times: number[] = []
  for (const payment of payments) {
    const count = receiver.received.length
    const began = performance.now()
    await pay(site, payment)
    await receiver.first(count + 1)
    times.push((receiver.received[count]?.at ?? 0) - began)
  }
  return times.toSorted((a, b) => a - b)
}

async function throughput(site: App, receiver: Receiver): Promise<void> {
  const merchantId = await createMerchant(site.db, { name: 'Busy' })
  const payments = await createPayments(site, merchantId, receiver.url, burst)
  const count = receiver.received.length
  const began = performance.now()
  const queue = [...payments]
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await pay(site, next)
    }),
  )
  const paidAfter = performance.now() - began
  await receiver.first(count + burst)
  const rate = (ms: number): string => Math.round((burst / ms) * 1000).toLocaleString('en')
  print(
    `burst of ${burst}: paid at ${rate(paidAfter)}/s, all received at ${rate(performance.now() - began)}/s`,
  )
}

async function seedBacklog(site: App, receiver: Receiver): Promise<void> {
  const merchantId = await createMerchant(site.db, { name: 'Dead' })
  const { origin } = new URL(receiver.url)
  for (let start = 0; start < deadBacklog; start += 1_000) {
    await inTransaction(site.db, async (tx) =>
      insertDeliveries(
        tx,
        merchantId,
        Array.from({ length: 1_000 }, () => ({
          merchant_id: merchantId,
          id: drawDeliveryId('evt'),
          kind: 'ipn' as const,
          mode: 'test' as const,
          event: 'payment.success',
          number: null,
          target: receiver.url,
          origin,
          body: '{}',
          state: 'waiting' as const,
        })),
      ),
    )
  }
  await site.deliverer.look()
  await receiver.first(1)
}

async function createPayments(
  site: App,
  merchantId: number,
  callbackUrl: string,
  count: number,
): Promise<Paid[]> {
  const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(24, '0'))
  const rows = numbers.map((number): NewPayment => ({
    merchant_id: merchantId,
    number,
    mode: 'test',
    tx_ref: `bench-${number}`,
    reference: 'FLBENCH',
    type: 'API',
    currency: 'GBP',
    amount_minor: 1_000n,
    charge_minor: 34n,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: callbackUrl,
    return_url: null,
    title: null,
    description: null,
    logo: null,
    meta: null,
    project_id: null,
    items: null,
    invoice_number: null,
    saving: null,
    dialect: null,
    idempotency_key: null,
    body_hash: null,
    pay_within_seconds: 60 * 1_440,
  }))
  await insertPayments(site.db, merchantId, rows)
  return numbers.map((number) => ({ merchantId, number }))
}

async function pay(site: App, payment: Paid): Promise<void> {
  await inTransaction(site.db, async (tx) => {
    const locked = await lockPayment(tx, payment)
    if (locked) await transition(site.paying, tx, locked, 'paid')
  })
}

/** The same small transactions with and without a NOTIFY inside, from 16 connections at once. */
async function notifyCost(url: string): Promise<void> {
  const db = new Database(url, { poolSize: 16 })
  await db.query(sql`create table if not exists bench_commits (at timestamptz)`)
  for (const round of [1, 2, 3]) {
    const rates = []
    for (const notifies of [false, true]) {
      const until = performance.now() + 3_000
      let done = 0
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (performance.now() < until) {
            await inTransaction(db, async (tx) => {
              await tx.query(sql`insert into bench_commits values (now())`)
              // Both sides send as many statements, so that only what NOTIFY does at commit differs.
              await tx.query(notifies ? sql`select pg_notify('bench', 'x')` : sql`select upper('x')`)
            })
            done += 1
          }
        }),
      )
      rates.push(Math.round(done / 3))
    }
    print(`commits a second, round ${round}: ${rates[0]} without NOTIFY, ${rates[1]} with one in each`)
  }
  await db.close()
}

function say(what: string, sorted: readonly number[]): void {
  const ms = (share: number): string => `${quantile(sorted, share).toFixed(1)} ms`
  print(`pay to IPN received, ${what}: p50 ${ms(0.5)}, p99 ${ms(0.99)}, most ${ms(1)}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
