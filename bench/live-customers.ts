import { readFileSync } from 'node:fs'
import type { CustomersResult } from './customers.ts'
import { HttpClient, httpRequest, listenTo } from './http-client.ts'

// Customers and their merchant in a process of their own: each creates a live payment, opens the page, chooses the card, is
// led to Stripe's stand-in and pays there. The stand-in calls back, Florin asks it, and the customer is done when the merchant
// has received the notification. Nobody comes back from the network's page: the callback has to do.

export type LivePlan = {
  readonly port: number
  readonly secretKey: string
  readonly account: string
  /** Where customers say that they pay at Stripe. */
  readonly stripePagePort: number
  readonly customers: number
  readonly seconds: number
}

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LivePlan
const waiting = new Map<string, () => void>()
let heard = 0

const merchant = await listenTo((body) => {
  const { tx_ref: txRef } = JSON.parse(body) as { tx_ref: string }
  const done = waiting.get(txRef)
  if (!done) return
  waiting.delete(txRef)
  heard += 1
  done()
})

const latenciesMs: number[] = []
const begin = performance.now()
const deadline = begin + plan.seconds * 1000
const type = 'application/x-www-form-urlencoded'
let count = 0

async function oneCustomer(): Promise<void> {
  const client = await HttpClient.open(plan.port)
  const atStripe = await HttpClient.open(plan.stripePagePort)
  do {
    count += 1
    const sent = performance.now()
    await payOnce(client, atStripe, `live-${process.pid}-${count}`)
    latenciesMs.push(performance.now() - sent)
  } while (performance.now() < deadline)
  client.close()
  atStripe.close()
}

async function payOnce(client: HttpClient, atStripe: HttpClient, txRef: string): Promise<void> {
  const notified = new Promise<void>((resolve) => waiting.set(txRef, resolve))
  const body = JSON.stringify({
    tx_ref: txRef,
    amount: '1234.50',
    currency: 'GBP',
    email: `${txRef}@example.com`,
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: `https://127.0.0.1:${merchant.port}/ipn`,
  })
  const created = await client.send(httpRequest('POST', '/api/payment', { key: plan.secretKey, body }))
  const path = /\/payment\/\d{32}/.exec(created.body)?.[0]
  if (path === undefined) throw new Error(`Not created: ${created.body}`)
  const page = await client.send(httpRequest('GET', path))
  const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1]
  if (token === undefined) throw new Error(`Nothing to choose on the page: ${page.head}`)
  const choice = new URLSearchParams({ token, account: plan.account, method: 'card' }).toString()
  const chosen = await client.send(httpRequest('POST', `${path}/choose`, { body: choice, type }))
  const away = await client.send(httpRequest('GET', `${path}/away`))
  const session = /\/pay\/(cs_\w+)/.exec(away.body)?.[1]
  if (session === undefined) throw new Error(`Not sent to Stripe: ${chosen.head} ${away.head}`)
  await atStripe.send(httpRequest('POST', '/', { body: session }))
  await notified
}

await Promise.all(Array.from({ length: plan.customers }, oneCustomer))
const seconds = (performance.now() - begin) / 1000
const result: CustomersResult = { paid: latenciesMs.length, heard, seconds, latenciesMs }
process.stdout.write(`${JSON.stringify(result)}\n`)
merchant.close()
