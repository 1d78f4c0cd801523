import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { call } from '../../../../test/support/house.ts'
import { openLiveHouse, type LiveHouse } from '../../../../test/support/networks/live-house.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import { refund, refundIn, workOnRefunds, type Paid, refundingOf } from '../../../../test/support/refunds.ts'
import { runFlorin, type Ended } from '../../../../test/support/run-florin.ts'
import { testSecretsKey } from '../../../../test/support/secrets.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'

// Money that goes back by Stripe and by GoCardless, from the API to the networks' own books.

type Name = 'stripe' | 'gocardless'
const networks: readonly Name[] = ['stripe', 'gocardless']

let house: LiveHouse
let clock: Clock
before(async () => {
  clock = makeStillClock()
  house = await openLiveHouse({ world: { now: clock.now } })
  await waitUntil('it listens', () => house.app.listener.connected)
  house.networks.stripe.refundsAre = 'pending'
})
after(() => house.close())

/** £10.00, paid on the network's own page. */
async function paid(name: Name): Promise<Paid> {
  const { stripe, gocardless } = house.networks
  const payment = await createPayment(
    house,
    { amount: '10.00', callback_url: 'https://shop.example.com/ipn' },
    house.liveKey,
  )
  const pages = name === 'stripe' ? stripe.books.sessions : gocardless.books.flows
  const known = new Set(pages.keys())
  const choice = { accountId: house.accountIds[name], method: name === 'stripe' ? 'card' : 'bank' } as const
  await waitUntil('the account is known', async () => {
    return (await house.app.payer.choose(payment, choice, 'en')).kind !== 'unavailable'
  })
  const page = [...pages.keys()].find((id) => !known.has(id)) ?? assert.fail()
  if (name === 'stripe') stripe.act(page, 'pay')
  else gocardless.act(page, 'pay')
  await hear()
  assert.equal((await look(payment)).status, 'success')
  return payment
}

/** What callbacks told is worked on. */
async function hear(): Promise<void> {
  await house.networks.stripe.callbacks.settled()
  await house.networks.gocardless.callbacks.settled()
  const job = house.app.jobs.find((each) => each.name === 'callbacks') ?? assert.fail()
  while ((await job.run()) > 0);
}

type Shown = { status: string; refunded?: string; refunds?: { status: string; failure?: string }[] }

async function look({ txRef }: Pick<Paid, 'txRef'>): Promise<Shown> {
  return (await call(`${house.url}/api/transaction/${txRef}`, { key: house.liveKey })).json.data
}

async function standing(payment: Paid): Promise<string> {
  const { status, refunded = '-', refunds = [] } = await look(payment)
  return [status, refunded, ...refunds.map((one) => one.status)].join(' ')
}

/** The network's own books: how often it gave back, and how much. */
function givenBack(name: Name): { readonly id: string; readonly amount: number; readonly status: string }[] {
  return [...house.networks[name].books.refunds.values()]
}

/** The newest, or one before it. */
function decide(name: Name, end: 'done' | 'failed', place = -1): void {
  const { id } = givenBack(name).at(place) ?? assert.fail()
  if (name === 'stripe') house.networks.stripe.endRefund(id, end === 'done' ? 'succeeded' : 'failed')
  else house.networks.gocardless.moveRefund(id, end === 'done' ? 'paid' : 'bounced')
}

async function eventsOf({ number }: Paid): Promise<string[]> {
  const rows = await house.db.query<{ event: string }>(sql`
    select event from deliveries where number = ${number} and kind = 'ipn' and event <> 'payment.success'`)
  return rows.map(({ event }) => event).toSorted()
}

for (const name of networks) {
  test(`${name}: a full refund completes once the network decides, and a callback triggers the look-up`, async () => {
    const payment = await paid(name)
    const earlier = givenBack(name).length
    const asked = await refund(house, payment, {}, house.liveKey)
    assert.deepEqual([asked.status, refundIn(asked).status], [201, 'submitted'])
    assert.equal(await standing(payment), 'success - submitted')
    house.networks[name].callbacks.manner = 'twice'
    decide(name, 'done')
    await hear()
    house.networks[name].callbacks.manner = 'at_once'
    assert.equal(await standing(payment), 'refunded 10.00 success')
    assert.deepEqual(await eventsOf(payment), ['payment.refunded', 'refund.success'])
    assert.deepEqual(
      givenBack(name)
        .slice(earlier)
        .map(({ amount }) => amount),
      [1_000],
    )
  })

  test(`${name}: partial refunds go back one after the other, up to what was paid`, async () => {
    const payment = await paid(name)
    await refund(house, payment, { amount: '3.00' }, house.liveKey)
    await refund(house, payment, { amount: '4.00' }, house.liveKey)
    const more = await refund(house, payment, { amount: '3.01' }, house.liveKey)
    assert.equal(more.json.code, 'more_than_left')
    assert.equal(await standing(payment), 'success - submitted submitted')
    decide(name, 'done', -1)
    decide(name, 'done', -2)
    await hear()
    assert.equal(await standing(payment), 'success 7.00 success success')
  })

  test(`${name}: a refund that fails later is never shown as done, and another can follow`, async () => {
    const payment = await paid(name)
    await refund(house, payment, {}, house.liveKey)
    decide(name, 'failed')
    await hear()
    assert.equal(await standing(payment), 'success - failed')
    assert.deepEqual(await eventsOf(payment), ['refund.failed'])
    const warned = await house.db.query(sql`
      select from deliveries where kind = 'mail' and target = 'merchant' and event = 'refund.failed'
        and mode = 'live' and body like ${`%${payment.txRef}%`}`)
    assert.equal(warned.length, 1)
  })

  test(`${name}: a refund that succeeded and bounced is failed, and the payment is paid again`, async () => {
    const payment = await paid(name)
    await refund(house, payment, {}, house.liveKey)
    decide(name, 'done')
    await hear()
    decide(name, 'failed')
    await hear()
    assert.equal(await standing(payment), 'success - failed')
    assert.deepEqual(await eventsOf(payment), ['payment.refunded', 'refund.failed', 'refund.success'])
  })

  test(`${name}: a lost answer after the network acted leads to one refund, found by the same key`, async () => {
    const payment = await paid(name)
    const earlier = givenBack(name).length
    void house.networks[name].turn({ kind: 'cuts', when: 'after' }, { times: 1 })
    const asked = await refund(house, payment, {}, house.liveKey)
    assert.equal(refundIn(asked).status, 'requested', 'nobody knows, so it is not failed')
    assert.equal(givenBack(name).length, earlier + 1)
    clock.jump(31_000)
    await workOnRefunds(refundingOf(house.app))
    assert.equal(givenBack(name).length, earlier + 1)
    decide(name, 'done')
    await hear()
    assert.equal(await standing(payment), 'refunded 10.00 success')
  })

  test(`${name}: out-of-order callbacks end with the network’s state`, async () => {
    const payment = await paid(name)
    const { callbacks } = house.networks[name]
    callbacks.manner = 'held'
    await refund(house, payment, {}, house.liveKey)
    decide(name, 'done')
    decide(name, 'failed')
    await callbacks.release('newest_first')
    callbacks.manner = 'at_once'
    await hear()
    assert.equal(await standing(payment), 'success - failed')
  })

  test(`${name}: a lost callback costs a few seconds: the network is asked`, async () => {
    const payment = await paid(name)
    house.networks[name].callbacks.manner = 'lost'
    await refund(house, payment, {}, house.liveKey)
    decide(name, 'done')
    house.networks[name].callbacks.manner = 'at_once'
    clock.jump(6_000)
    await workOnRefunds(refundingOf(house.app))
    assert.equal(await standing(payment), 'refunded 10.00 success')
  })
}

async function reconcile(...args: string[]): Promise<Ended> {
  return runFlorin(['reconcile', '--since', '1d', ...args], {
    DATABASE_URL: house.databaseUrl,
    SECRETS_KEY: testSecretsKey,
    STRIPE_URL: house.networks.stripe.url,
    GOCARDLESS_URL: house.networks.gocardless.url,
    PAYSTACK_URL: house.networks.paystack.url,
  })
}

type PrintedDifference = {
  kind: string
  connector: string
  tx_ref: string
  there: object | null
  here: object | null
}

async function differences(): Promise<PrintedDifference[]> {
  return JSON.parse((await reconcile('--json')).out) as PrintedDifference[]
}

test('the networks’ refund records are compared with ours, including bounced ones', async () => {
  const { stripe, gocardless } = house.networks
  const payment = await paid('gocardless')
  await refund(house, payment, { amount: '2.00' }, house.liveKey)
  decide('gocardless', 'done')
  await hear()
  gocardless.payOut()
  const alike = await reconcile('--json')
  assert.deepEqual(alike, { code: 0, out: '[]\n', err: '' })
  assert.match((await reconcile()).err, /\d+ charges and \d+ refunds? alike, 0 differ/)

  // Somebody wrote another amount into our records, at both networks.
  await house.db.query(sql`update refunds set amount_minor = 199 where number = ${payment.number}`)
  const [differs] = await differences()
  assert.deepEqual(
    [differs?.kind, differs?.connector, differs?.tx_ref, differs?.there, differs?.here],
    [
      'refunds_differ',
      'gocardless',
      payment.txRef,
      { amount_minor: 200, currency: 'GBP' },
      { amount_minor: 199, currency: 'GBP' },
    ],
  )
  await house.db.query(sql`update refunds set amount_minor = 200 where number = ${payment.number}`)

  // Somebody gave money back in Stripe's own dashboard, some time ago.
  const other = await paid('stripe')
  const [intent] = [...stripe.books.intents.values()].slice(-1)
  stripe.books.book('refund', -150, 'gbp', {
    id: 're_by_hand',
    object: 'refund',
    amount: 150,
    currency: 'gbp',
    payment_intent: intent?.id,
    metadata: {},
  })
  const booking = stripe.books.bookings.at(-1) ?? assert.fail()
  stripe.books.bookings[stripe.books.bookings.length - 1] = { ...booking, created: booking.created - 3_600 }
  const told = await reconcile()
  assert.equal(told.code, 1)
  assert.match(
    told.out,
    new RegExp(`^refunded there only  acc_\\w+  \\S+Z  1\\.50 GBP +- +re_by_hand +${other.txRef}\\n$`),
  )
})
