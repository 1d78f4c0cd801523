import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { currencyCodes } from '../../src/platform/money/currencies.ts'
import { makeOutbound } from '../../src/platform/outbound/outbound.ts'
import { makeNetworks } from '../../src/app/networks.ts'
import { makeStillClock, type Clock } from '../support/clock.ts'
import { openLiveHouse, type LiveHouse } from '../support/networks/live-house.ts'
import { unitsOf } from '../support/networks/paypal-books.ts'
import { keptOf } from '../support/networks/paystack/books.ts'
import { createPayment } from '../support/pay.ts'
import { waitUntil } from '../support/wait-until.ts'

// One payment in two tabs, at two networks: by the networks' own books it is charged once in the end.

let house: LiveHouse
let clock: Clock
before(async () => {
  clock = makeStillClock()
  const at = ['stripe', 'gocardless', 'paystack', 'paypal'] as const
  house = await openLiveHouse({ at, world: { now: clock.now } })
  house.networks.paystack.refundsAre = 'processed'
})
after(() => house.close())

type Payment = Awaited<ReturnType<typeof createPayment>>
const methods = { stripe: 'card', gocardless: 'bank', paystack: 'card', paypal: 'wallet' } as const
type Name = keyof typeof methods

async function newPayment(currency: string): Promise<Payment> {
  return createPayment(house, { amount: '100.00', currency }, house.liveKey)
}

async function choose(payment: Payment, name: Name): Promise<void> {
  const choice = { accountId: house.accountIds[name], method: methods[name] }
  await waitUntil('the account is known', async () => {
    return (await house.app.payer.choose(payment, choice, 'en')).kind === 'action_required'
  })
}

/** In every tab that was ever opened, at every network. */
function payEverywhere({ number }: Payment): void {
  const { stripe, gocardless, paystack, paypal } = house.networks
  for (const { id, custom_id } of paypal.books.orders.values())
    if (custom_id.includes(number)) paypal.act(id, 'pay')
  for (const { reference, metadata } of paystack.books.transactions.values())
    if (metadata['florin_payment'] === number) paystack.act(reference, 'pay')
  for (const { id, metadata } of stripe.books.sessions.values())
    if (metadata['florin_payment'] === number) stripe.act(id, 'pay')
  for (const flow of gocardless.books.flows.values()) {
    const request = gocardless.books.requests.get(flow.links.billing_request)
    if (request?.metadata['florin_payment'] === number) gocardless.act(flow.id, 'pay')
  }
}

async function settle(): Promise<void> {
  for (const name of Object.keys(methods) as Name[]) await house.networks[name].callbacks.settled()
  for (const name of ['callbacks', 'reconcile']) {
    const job = house.app.jobs.find((each) => each.name === name) ?? assert.fail(name)
    while ((await job.run()) > 0);
  }
}

/** What the networks have of it, in subunits, by their own books. */
function kept({ number }: Payment): readonly number[] {
  const { stripe, gocardless, paystack, paypal } = house.networks
  const isOurs = ({ metadata }: { metadata: Readonly<Record<string, string>> }): boolean =>
    metadata['florin_payment'] === number
  return [
    ...[...stripe.books.intents.values()]
      .filter((intent) => isOurs(intent) && intent.amount_received > 0)
      .map((intent) => stripe.books.unrefunded(intent)),
    ...[...gocardless.books.payments.values()]
      .filter(isOurs)
      .map(({ amount, amount_refunded }) => amount - amount_refunded),
    ...[...paystack.books.transactions.values()]
      .filter(isOurs)
      .map(({ reference }) => keptOf(paystack.books, reference)),
    ...[...paypal.books.captures.values()]
      .filter(({ custom_id, status }) => custom_id.includes(number) && status === 'COMPLETED')
      .map(({ amount }) => Number(unitsOf(amount))),
  ].filter((amount) => amount !== 0)
}

async function stateOf({ merchantId, number }: Payment): Promise<string | undefined> {
  const [row] = await house.db.query<{ state: string }>(sql`
    select state from payments where merchant_id = ${merchantId} and number = ${number}`)
  return row?.state
}

for (const [currency, first, second] of [
  ['GBP', 'gocardless', 'stripe'],
  ['GBP', 'stripe', 'gocardless'],
  ['ZAR', 'paystack', 'stripe'],
  ['ZAR', 'stripe', 'paystack'],
  ['GBP', 'gocardless', 'paypal'],
  ['GBP', 'paypal', 'gocardless'],
  ['USD', 'paystack', 'paypal'],
  ['USD', 'paypal', 'paystack'],
] as const)
  test(`who pays at ${first} and at ${second} in two tabs is charged once`, async () => {
    const payment = await newPayment(currency)
    await choose(payment, first)
    await choose(payment, second)
    payEverywhere(payment)
    await settle()
    assert.equal(await stateOf(payment), 'success')
    assert.deepEqual(kept(payment), [10_000])
  })

test('GoCardless and Paystack are never two tabs of one payment: they have no currency in common', async () => {
  const real = { STRIPE_URL: '', GOCARDLESS_URL: '', PAYSTACK_URL: '', PAYPAL_URL: '' }
  const { gocardless, paystack } = Object.fromEntries(
    makeNetworks(real, makeOutbound()).map((network) => [network.name, network]),
  )
  const both = currencyCodes.filter(
    (code) => gocardless?.methods(code).length !== 0 && paystack?.methods(code).length !== 0,
  )
  assert.deepEqual(both, [])
})

test('what is paid at Paystack after the payment was cancelled goes back, by its own books', async () => {
  const payment = await newPayment('ZAR')
  await choose(payment, 'paystack')
  await house.app.payer.cancel(payment, bySystem)
  assert.equal(await stateOf(payment), 'cancelled')
  payEverywhere(payment)
  assert.deepEqual(kept(payment), [10_000])
  await settle()
  assert.equal(await stateOf(payment), 'cancelled')
  assert.deepEqual(kept(payment), [])
  const told = await house.db.query<{ event: string }>(sql`
    select event from deliveries where merchant_id = ${payment.merchantId} and event = 'charge.after_end'`)
  assert.equal(told.length, 1)
})
