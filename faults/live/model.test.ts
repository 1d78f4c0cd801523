import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/platform/database/sql.ts'
import { makeStillClock } from '../../test/support/clock.ts'
import { call, post } from '../../test/support/house.ts'
import { openLiveHouse, type LiveHouse } from '../../test/support/networks/live-house.ts'
import { paymentRequest } from '../../test/support/payment-request.ts'
import { chargesOf, sendSigned } from './world.ts'

// Random stories of live payments at both stand-ins, with a model of one line: a payment is paid from the moment at which
// it was charged and somebody had a reason to ask, and never otherwise. `MODEL_RUNS=5000 MODEL_SEED=7` plays more.

const numRuns = Math.ceil(Number(process.env['MODEL_RUNS'] ?? 200) / 5)
const seed = Number(process.env['MODEL_SEED'] ?? 20261115)
// Set back before each story: payments are made by the database's clock, and would be born out of time.
let clock = makeStillClock()
let house: LiveHouse
before(async () => {
  const settings = { RATE_LIMIT_BURST: '100000', MISS_LIMIT_PER_SECOND: '100000' }
  house = await openLiveHouse({ settings, world: { now: () => clock.now() } })
  house.networks.stripe.callbacks.manner = 'held'
  house.networks.gocardless.callbacks.manner = 'held'
})
after(() => house.close())

type Network = 'stripe' | 'gocardless'
type ReportedPayment = { readonly txRef: string; readonly number: string; isKnown: boolean }
type Story = { readonly payments: ReportedPayment[] }
type Step = fc.AsyncCommand<Story, object>

function step(name: string, run: (story: Story) => Promise<void>): Step {
  return { check: () => true, run: async (story) => run(story), toString: () => name }
}

function onOne(name: string, run: (payment: ReportedPayment) => Promise<void>): fc.Arbitrary<Step> {
  return fc.nat(1).map((index) =>
    step(`${name} #${index}`, async ({ payments }) => {
      const payment = payments[index % Math.max(1, payments.length)]
      if (!payment) return
      await run(payment)
      for (const each of payments) await isAsTold(each, name)
    }),
  )
}

async function isAsTold(payment: ReportedPayment, after_: string): Promise<void> {
  const state = await stateOf(payment)
  const charged = chargesOf(house.networks).filter(({ number }) => number === payment.number).length
  assert.ok(charged <= 1, `${payment.txRef} was charged ${charged} times after ${after_}`)
  if (charged === 0) assert.notEqual(state, 'success', `${payment.txRef} after ${after_}`)
  if (charged === 1 && payment.isKnown) assert.equal(state, 'success', `${payment.txRef} after ${after_}`)
}

async function stateOf({ number }: ReportedPayment): Promise<string | undefined> {
  const rows = await house.db.query<{ state: string }>(
    sql`select state from payments where merchant_id = ${house.merchantId} and number = ${number}`,
  )
  return rows[0]?.state
}

async function create({ payments }: Story): Promise<void> {
  const request = paymentRequest()
  const made = await post(`${house.url}/api/payment`, request, house.liveKey)
  assert.equal(made.status, 201, made.text)
  const { checkout_url: url } = made.json.data as { checkout_url: string }
  payments.push({ txRef: String(request['tx_ref']), number: url.slice(-24), isKnown: false })
}

const keyOf = ({ number }: ReportedPayment) => ({ merchantId: house.merchantId, number })
const isCharged = ({ number }: ReportedPayment): boolean =>
  chargesOf(house.networks).some((charge) => charge.number === number)

function choose(network: Network) {
  const method = network === 'stripe' ? 'card' : 'bank'
  return onOne(`choose ${network}`, async (payment) => {
    // Whatever page is open is asked about, or closed at the network, before another is opened.
    await house.app.payer.choose(keyOf(payment), { accountId: house.accountIds[network], method }, 'en')
    payment.isKnown ||= isCharged(payment)
  })
}

const pay = onOne('pay on every page there is', async ({ number }) => {
  const { stripe, gocardless } = house.networks
  for (const session of stripe.books.sessions.values())
    if (session.metadata['florin_payment'] === number) stripe.act(session.id, 'pay')
  for (const flow of gocardless.books.flows.values()) {
    const request = gocardless.books.requests.get(flow.links.billing_request)
    if (request?.metadata['florin_payment'] === number) gocardless.act(flow.id, 'pay')
  }
})

const comeBack = onOne('come back', async (payment) => {
  clock.jump(4_000)
  await house.app.payer.lookAgain(keyOf(payment), 'from_the_page')
  payment.isKnown ||= isCharged(payment)
})

const lookUp = onOne('look up', async (payment) => {
  clock.jump(4_000)
  await call(`${house.url}/api/transaction/${payment.txRef}`, { key: house.liveKey })
  payment.isKnown ||= isCharged(payment)
})

function callbacksArrive(order?: 'newest_first') {
  return fc.constant(
    step(`callbacks arrive ${order ?? ''}`, async ({ payments }) => {
      for (const network of ['stripe', 'gocardless'] as const)
        await house.networks[network].callbacks.release(order)
      await workOnThem()
      for (const payment of payments) payment.isKnown ||= isCharged(payment)
      for (const payment of payments) await isAsTold(payment, 'callbacks arrived')
    }),
  )
}

const lie = onOne('a signed lie', async ({ number }) => {
  const metadata = { florin_merchant: String(house.merchantId), florin_payment: number }
  const object = { id: 'cs_lie', object: 'checkout.session', payment_status: 'paid', metadata }
  const event = { id: `evt_${number}`, object: 'event', type: 'checkout.session.completed', data: { object } }
  const at = `${house.url}/callbacks/stripe/${house.merchantId}`
  // Stripe's own clock is the house's here.
  const body = JSON.stringify(event)
  assert.equal(await sendSigned(house.networks, 'stripe', at, body, undefined, clock.now()), 200)
  await workOnThem()
})

async function workOnThem(): Promise<void> {
  const job = house.app.jobs.find(({ name }) => name === 'callbacks')
  while (((await job?.run()) ?? 0) > 0);
}

async function timePasses(): Promise<void> {
  clock.jump(20 * 60_000)
  await house.app.jobs.find(({ name }) => name === 'reconcile')?.run()
}

const steps = [
  fc.constant(step('create', create)),
  choose('stripe'),
  choose('stripe'),
  choose('gocardless'),
  choose('gocardless'),
  pay,
  pay,
  pay,
  comeBack,
  lookUp,
  callbacksArrive(),
  callbacksArrive('newest_first'),
  lie,
  fc.constant(step('time passes', timePasses)),
]

test(
  'in any sequence of events a live payment is paid once, exactly when the network charged it',
  {
    timeout: 600_000,
  },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 14, size: 'max' }), async (commands) => {
        clock = makeStillClock()
        const story: Story = { payments: [] }
        await create(story)
        await fc.asyncModelRun(() => ({ model: story, real: {} }), commands)
        for (let round = 0; round < 4; round += 1) await timePasses()
        for (const payment of story.payments) {
          payment.isKnown = true
          await isAsTold(payment, 'the end')
        }
      }),
      { numRuns, seed, endOnFailure: false },
    )
  },
)
