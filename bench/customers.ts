import { readFileSync } from 'node:fs'
import { HttpClient, httpRequest, listenTo } from './http-client.ts'

// Customers and their merchant in a process of their own: each creates a payment, opens the page, pays with a test
// card, and is done when the merchant has received the notification.

export type CustomersPlan = {
  readonly port: number
  /** Of the merchants who are paid in turn. */
  readonly secretKeys: readonly string[]
  readonly customers: number
  readonly seconds: number
}
export type CustomersResult = {
  readonly paid: number
  readonly heard: number
  readonly seconds: number
  readonly latenciesMs: number[]
}

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CustomersPlan
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
const callbackUrl = `http://127.0.0.1:${merchant.port}/ipn`

const latenciesMs: number[] = []
const begin = performance.now()
const deadline = begin + plan.seconds * 1000
let count = 0

async function oneCustomer(): Promise<void> {
  const client = await HttpClient.open(plan.port)
  do {
    count += 1
    const txRef = `whole-${process.pid}-${count}`
    const sent = performance.now()
    await payOnce(client, plan.secretKeys[count % plan.secretKeys.length] ?? '', txRef)
    latenciesMs.push(performance.now() - sent)
  } while (performance.now() < deadline)
  client.close()
}

async function payOnce(client: HttpClient, key: string, txRef: string): Promise<void> {
  const notified = new Promise<void>((resolve) => waiting.set(txRef, resolve))
  const body = JSON.stringify({
    tx_ref: txRef,
    amount: '1234.50',
    currency: 'GBP',
    // The limit of mails to one address a day is counted, and must not be reached.
    email: `${txRef}@example.com`,
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: callbackUrl,
  })
  const created = await client.send(httpRequest('POST', '/api/payment', { key, body }))
  const path = /\/payment\/\d{32}/.exec(created.body)?.[0]
  if (path === undefined) throw new Error(`Not created: ${created.body}`)
  const page = await client.send(httpRequest('GET', path))
  const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1]
  if (token === undefined) throw new Error(`No form on the page: ${page.head}`)
  const card = new URLSearchParams({
    token,
    number: '4242424242424242',
    expiry: '12/40',
    cvc: '123',
    name: 'Ada',
  })
  const type = 'application/x-www-form-urlencoded'
  const paid = await client.send(httpRequest('POST', `${path}/pay`, { body: card.toString(), type }))
  if (paid.status !== 303) throw new Error(`Not paid: ${paid.head} ${paid.body.slice(0, 300)}`)
  await notified
}

await Promise.all(Array.from({ length: plan.customers }, oneCustomer))
const result: CustomersResult = {
  paid: latenciesMs.length,
  heard,
  seconds: (performance.now() - begin) / 1000,
  latenciesMs,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
merchant.close()
