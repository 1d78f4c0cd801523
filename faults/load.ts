import { setTimeout as pause } from 'node:timers/promises'
import { cards, payAtBank, payOnce, type AtBank } from './customer.ts'
import { openJournal, type LoadEntry } from './journal.ts'
import { cancelOnce, createSurely, lookUp, refundSurely } from './merchant.ts'
import { makeRandom, type Random } from './random.ts'

// Merchants and customers in a process of their own, so that nothing that happens to Florin or to the harness can
// make them forget what they were told. Started by load-process.ts.

export type LoadOrder = {
  readonly url: string
  readonly key: string
  readonly callbackUrls: readonly string[]
  readonly journal: string
  readonly seed: number
  readonly clients: number
  /** How long a client rests at most after each thing it did. */
  readonly restMs: number
  /** Unique among the loads of one database. */
  readonly name: string
}

/** Told to the harness for each create that is in the journal. */
export type LoadReport = { readonly kind: 'acknowledged'; readonly at: number }

type Known = {
  readonly txRef: string
  readonly url: string
  readonly body: Record<string, unknown>
  readonly key: string | undefined
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder
const random = makeRandom(order.seed)
const journal = openJournal<LoadEntry>(order.journal)
const known: Known[] = []
const paid: Known[] = []
const state = { running: true }
let count = 0

process.on('message', (word) => {
  if (word === 'stop') state.running = false
})
const clients = Array.from({ length: order.clients }, async (_, index) =>
  client(random.fork(`client ${index}`)),
)
await Promise.all(clients)
await journal.close()
process.disconnect?.()

async function client(chance: Random): Promise<void> {
  while (state.running) {
    const before = known.length
    await actOnce(chance)
    // Where everything fails at once nobody learns more by asking a thousand times a second.
    const restMs = Math.max(order.restMs, known.length === before ? 10 : 0)
    if (restMs > 0) await pause(chance.whole(1, restMs))
  }
}

async function actOnce(chance: Random): Promise<void> {
  const roll = chance.next()
  if (roll < 0.45 || known.length === 0) return create(chance)
  // Recent payments, so that several clients meet at one.
  const one = known[Math.max(0, known.length - chance.whole(1, 40))]
  if (!one) return
  if (roll < 0.75) return pay(chance, one)
  if (roll < 0.78) return cancel(one)
  // What was paid lately, or a point of a refund is seldom reached; now and then what was not.
  if (roll < 0.84) return refund(chance, paid[Math.max(0, paid.length - chance.whole(1, 20))] ?? one)
  if (roll < 0.88) return replay(one)
  return look(one)
}

async function create(chance: Random): Promise<void> {
  count += 1
  const txRef = `${order.name}-${count}`
  const key = chance.chance(0.5) ? `idem-${txRef}` : undefined
  const body = {
    tx_ref: txRef,
    amount: `${chance.whole(1, 999)}.${chance.whole(10, 99)}`,
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: chance.pick(order.callbackUrls),
  }
  const created = await createSurely(
    { ...order, body, key: order.key, idempotencyKey: key, takesNo: chance.chance(0.5) },
    () => state.running,
  )
  if (created.kind === 'gave up') return
  if (created.kind === 'nothing') return journal.write({ op: 'nothing', at: Date.now(), txRef })
  if (created.kind === 'wrong') return journal.write({ op: 'wrong', at: Date.now(), what: created.what })
  const at = Date.now()
  await journal.write({ op: 'create', at, txRef, url: created.url })
  known.push({ txRef, url: created.url, body, key })
  process.send?.({ kind: 'acknowledged', at } satisfies LoadReport)
}

async function pay(chance: Random, one: Known): Promise<void> {
  const { txRef, url } = one
  const card = chance.pick([
    cards.good,
    cards.good,
    cards.good,
    cards.declined,
    cards.challenge,
    cards.timeOutPaid,
    cards.timeOutNotPaid,
    cards.refundLater,
    cards.refundFails,
  ])
  const decisions: readonly AtBank[] = ['pay', 'pay', 'pay_later', 'refuse', 'leave']
  const shown = chance.chance(0.3)
    ? await payAtBank(url, chance.pick(decisions))
    : await payOnce(url, card, chance.pick(['approve', 'refuse']))
  if (shown !== 'paid') return
  await journal.write({ op: 'paid', at: Date.now(), txRef })
  paid.push(one)
}

async function cancel({ txRef }: Known): Promise<void> {
  const status = await cancelOnce(order.url, order.key, txRef)
  if (status === 200) await journal.write({ op: 'cancelled', at: Date.now(), txRef })
}

/** All, a part, or the same part again: what two clients ask for at once must fit together. */
async function refund(chance: Random, { txRef }: Known): Promise<void> {
  const refundRef = `${txRef}-${chance.whole(1, 6)}`
  const body = { refund_ref: refundRef, ...(chance.chance(0.6) && { amount: '0.50' }) }
  const answer = await refundSurely({ url: order.url, key: order.key, txRef, body }, () => state.running)
  if (answer === 'acknowledged') await journal.write({ op: 'refund', at: Date.now(), txRef, refundRef })
  else if (answer) await journal.write({ op: 'wrong', at: Date.now(), what: `${txRef}: ${answer.wrong}` })
}

async function replay({ txRef, body, key }: Known): Promise<void> {
  if (key === undefined) return
  const again = await createSurely(
    { ...order, body, key: order.key, idempotencyKey: key },
    () => state.running,
  )
  if (again.kind === 'created') await journal.write({ op: 'replay', at: Date.now(), txRef, url: again.url })
  if (again.kind === 'wrong') await journal.write({ op: 'wrong', at: Date.now(), what: again.what })
}

async function look({ txRef }: Known): Promise<void> {
  const asked = Date.now()
  try {
    const seen = await lookUp(order.url, order.key, txRef)
    if (seen) await journal.write({ op: 'seen', asked, at: Date.now(), txRef, status: seen.status })
  } catch (error) {
    await journal.write({ op: 'wrong', at: Date.now(), what: `${txRef}: ${(error as Error).message}` })
  }
}
