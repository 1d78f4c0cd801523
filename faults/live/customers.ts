import { setTimeout as pause } from 'node:timers/promises'
import { look, openForm, patienceMs, send } from '../customer.ts'
import { cancelOnce, createSurely, lookUp, refundSurely } from '../merchant.ts'
import type { Random } from '../random.ts'
import { networkNames, type LivePayment, type LiveWorld, type NetworkName } from './world.ts'

// Merchants and customers of live payments. They live in the harness, beside the networks, and take what comes: pages
// in several tabs, banks that decide later, coming back or not.

export type LiveLoad = {
  stop(): Promise<void>
  /** For a stage that is given up: nobody begins anything more. */
  leave(): void
}

export type LiveShop = {
  readonly url: string
  readonly key: string
  readonly name: string
  /** How long a customer rests at most after each thing they did. */
  readonly restMs: number
}

const restMinMs = 60

const decisions: Readonly<Record<NetworkName, readonly string[]>> = {
  stripe: ['pay', 'pay', 'pay', 'pay', 'decline', 'pay_later', 'cancel', 'leave'],
  gocardless: ['pay', 'pay', 'pay', 'pay', 'pay', 'refuse', 'cancel', 'leave'],
  paystack: ['pay', 'pay', 'pay', 'pay', 'refuse', 'transfer', 'cancel', 'leave'],
  paypal: ['pay', 'pay', 'pay', 'pay', 'pending', 'decline', 'lapse', 'cancel', 'leave'],
}
const methods = { stripe: 'card', gocardless: 'bank', paystack: 'card', paypal: 'wallet' } as const
/** Where a payment can be paid. */
const taking = {
  GBP: ['stripe', 'gocardless', 'paypal'],
  ZAR: ['stripe', 'paystack'],
  USD: ['stripe', 'paystack', 'paypal'],
} as const

export function startLiveCustomers(
  world: LiveWorld,
  shop: LiveShop,
  random: Random,
  clients: number,
): LiveLoad {
  const day: Day = { world, shop, isRunning: true, count: 0, leftOpen: [] }
  const all = Array.from({ length: clients }, async (_, index) =>
    client(day, random.fork(`customer ${index}`)),
  )
  return {
    async stop() {
      day.isRunning = false
      await Promise.all(all)
      endLater(world, random, 'all')
      await world.sendAgain()
    },
    leave() {
      day.isRunning = false
    },
  }
}

type Day = {
  readonly world: LiveWorld
  readonly shop: LiveShop
  isRunning: boolean
  count: number
  /** Pages of networks in tabs that nobody looks at. */
  readonly leftOpen: string[]
}

async function client(day: Day, chance: Random): Promise<void> {
  while (day.isRunning) {
    // No answer, and what a customer sees of it, is what faults are about.
    await actOnce(day, chance).catch(() => {})
    await pause(chance.whole(5, Math.max(day.shop.restMs, restMinMs)))
  }
}

async function actOnce(day: Day, chance: Random): Promise<void> {
  const { world, shop, leftOpen } = day
  const roll = chance.next()
  // Recent ones, so that several customers meet at one payment.
  const one = world.payments[Math.max(0, world.payments.length - chance.whole(1, 12))]
  if (roll < 0.3 || !one) return create(day, chance)
  if (roll < 0.75) return pay(day, chance, one)
  if (roll < 0.8) return void (await cancelOnce(shop.url, shop.key, one.txRef))
  if (roll < 0.85) return refund(day, chance, one)
  if (roll < 0.9) return void (await lookUp(shop.url, shop.key, one.txRef))
  if (roll < 0.95) return endLater(world, chance)
  // A tab that was left open long ago; what it shows may be closed, or stand beside another that was paid.
  const page = leftOpen.splice(chance.whole(0, leftOpen.length), 1)[0]
  if (page !== undefined) await decide(world, chance, page, 'pay')
}

async function create(day: Day, chance: Random): Promise<void> {
  const { world, shop } = day
  day.count += 1
  const txRef = `live-${shop.name}-${day.count}`
  const amount = `${chance.whole(1, 999)}.${chance.whole(10, 99)}`
  const who = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
  const currency = chance.pick(['GBP', 'ZAR', 'USD'] as const)
  const body = { tx_ref: txRef, amount, currency, ...who }
  const made = await createSurely({ ...shop, body, idempotencyKey: `key of ${txRef}` }, () => day.isRunning)
  if (made.kind === 'wrong') world.wrong.push(made.what)
  if (made.kind === 'created')
    world.payments.push({ txRef, url: made.url, number: made.url.slice(-24), currency })
}

/** A part of it, so that the payment stays paid; a payment that is not paid refuses it. */
async function refund(day: Day, chance: Random, { txRef }: LivePayment): Promise<void> {
  const { world, shop } = day
  const refundRef = `${txRef}-${chance.whole(1, 2)}`
  const body = { refund_ref: refundRef, amount: '0.50' }
  const answer = await refundSurely({ ...shop, txRef, body }, () => day.isRunning)
  if (answer === 'acknowledged') world.refundsTold.add(refundRef)
  else if (answer) world.wrong.push(answer.wrong)
}

/** Chooses, goes to the network's page, does something there and comes back, or not. */
async function pay({ world, leftOpen }: Day, chance: Random, payment: LivePayment): Promise<void> {
  const network = chance.pick<NetworkName>(taking[payment.currency])
  const form = await openForm(payment.url)
  if (!form) return
  const choice = { account: world.accountIds[network], method: methods[network] }
  await send(`${payment.url}/choose`, { token: form.token, ...choice })
  const away = await get(`${payment.url}/away`)
  const page = /href="(http:\/\/127\.0\.0\.1:\d+\/(?:pay|flow|checkoutnow)[/?][\w=]+)"/.exec(
    await away.text(),
  )?.[1]
  if (page === undefined) return
  const at = networkNames.find((name) => page.startsWith(world.networks[name].url)) ?? network
  const decision = chance.pick(decisions[at])
  if (decision === 'leave') return void leftOpen.push(page)
  await decide(world, chance, page, decision)
  if (chance.chance(0.3)) return
  await get(`${payment.url}/return`)
  if ((await look(payment.url)) === 'paid') world.shownPaid.add(payment)
}

async function decide(world: LiveWorld, chance: Random, page: string, decision: string): Promise<void> {
  const action = decision === 'lapse' ? 'pay' : decision
  world.networks.gocardless.paymentsAre = chance.chance(0.2) ? 'submitted' : 'confirmed'
  const answer = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ action }),
    redirect: 'manual',
  })
  await answer.arrayBuffer()
  // PayPal takes the approval back, before or after we heard of it.
  if (decision === 'lapse') world.networks.paypal.lapse(/\w+$/.exec(page)?.[0] ?? '')
  if (action.startsWith('pay')) world.paid += 1
}

async function get(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
}

/** Banks decide about what customers did. */
function endLater(
  { networks: { stripe, gocardless, paypal } }: LiveWorld,
  chance: Random,
  which?: 'all',
): void {
  const waiting = [...stripe.books.intents].filter(([, { status }]) => status === 'processing')
  for (const [session] of which ? waiting : waiting.slice(0, 1)) {
    stripe.endLater(session, chance.pick(['succeeded', 'succeeded', 'failed']))
  }
  const submitted = [...gocardless.books.payments.values()].filter(({ status }) => status === 'submitted')
  for (const { id } of which ? submitted : submitted.slice(0, 1)) {
    gocardless.movePayment(id, chance.pick(['confirmed', 'confirmed', 'failed']))
  }
  const reviewed = [...paypal.books.captures.values()].filter(({ status }) => status === 'PENDING')
  for (const { id } of which ? reviewed : reviewed.slice(0, 1)) {
    paypal.moveCapture(id, chance.pick(['COMPLETED', 'COMPLETED', 'DECLINED']))
  }
}
