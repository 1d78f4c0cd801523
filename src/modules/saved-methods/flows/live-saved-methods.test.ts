import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { reconcile } from '../../../core/payments/attempts/reconcile.ts'
import { forgetMethods } from '../forget/forget-methods.ts'
import { hours, makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { newLink } from '../../../../test/support/customer.ts'
import { call } from '../../../../test/support/house.ts'
import { liveCalls, saveAt } from '../../../../test/support/live-saving.ts'
import { openLiveHouse, type LiveHouse } from '../../../../test/support/networks/live-house.ts'
import { charge, charged, lookUp, pressSaved } from '../../../../test/support/saved-methods.ts'

// Customers save methods at networks' stand-ins, and the merchant charges them again without them.

let house: LiveHouse
let clock: Clock
before(async () => {
  clock = makeStillClock()
  house = await openLiveHouse({
    world: { now: clock.now },
    at: ['stripe', 'gocardless', 'paystack', 'paypal'],
  })
})
after(() => house.close())

const keeping = () => ({ ...house.app.core, secrets: house.secrets, paying: house.app.paying })

async function events(txRef: string): Promise<string[]> {
  const rows = await house.db.query<{ event: string }>(sql`
    select deliveries.event from deliveries join payments using (merchant_id, number)
    where payments.tx_ref = ${txRef} and kind = 'ipn'`)
  return rows.map(({ event }) => event).toSorted()
}

/** What the worker does when a callback has come. */
async function hearCallbacks(network: 'stripe' | 'gocardless' | 'paystack'): Promise<void> {
  await house.networks[network].callbacks.settled()
  const job = house.app.jobs.find(({ name }) => name === 'callbacks') ?? assert.fail()
  while ((await job.run()) > 0);
}

test('a customer saves a card at Stripe, which is charged, declined and ended there', async () => {
  const live = liveCalls(house)
  const { stripe } = house.networks
  const saved = await saveAt(house, 'stripe')
  assert.deepEqual(await events(saved.txRef), ['method.saved', 'payment.success'])
  const { id, txRef: _, ...shown } = saved
  const card = { kind: 'card', brand: 'Visa', last4: '4242', expires: '2029-08' }
  assert.deepEqual(shown, { ...card, network: 'stripe', usable: true })
  const [row] = await house.db.query<{ token: Buffer }>(sql`select token from saved_methods where id = ${id}`)
  assert.ok(!row?.token.includes('pm_') && !row?.token.includes('cus_'), 'sealed')

  const first = await charged(live, id, { tx_ref: 'stripe-1', amount: '12.34' })
  assert.equal(first.status, 'success')
  assert.deepEqual(await events('stripe-1'), ['payment.success'])
  assert.equal(stripe.books.bookings.filter(({ amount }) => amount === 1_234).length, 1)

  stripe.chargesAre = { code: 'card_declined', decline_code: 'insufficient_funds' }
  const soft = await charged(live, id, { tx_ref: 'stripe-2' })
  assert.equal(soft.status, 'failed')
  assert.deepEqual(
    [soft.failure?.code, soft.failure?.reason, soft.failure?.may_retry],
    ['declined', 'insufficient_funds', true],
  )
  assert.equal((await charge(live, id)).json.code, 'retry_too_early')
  assert.equal(
    (await charge(live, id, { amount: '0.10' })).json.code,
    'charge_limit',
    'too little for Stripe',
  )
  clock.jump(hours)
  stripe.chargesAre = 'succeeded'
  assert.equal((await charged(live, id)).status, 'success')

  await call(`${house.url}/api/saved-methods/${id}`, { method: 'DELETE', key: house.liveKey })
  void stripe.turn({ kind: 'fails', when: 'before' }, { path: /detach$/ })
  const isDetached = () => stripe.books.cards.values().some(({ customer }) => customer === null)
  await forgetMethods(keeping())
  assert.equal(isDetached(), false)
  clock.jump(hours)
  await forgetMethods(keeping())
  assert.equal(isDetached(), true)
})

test('a bank that wants the customer leaves a charge at Stripe open for them', async () => {
  const live = liveCalls(house)
  const { stripe } = house.networks
  const { id } = await saveAt(house, 'stripe')
  stripe.chargesAre = { code: 'authentication_required', decline_code: 'authentication_required' }
  const open = await charged(live, id, { tx_ref: 'asks-1' })
  stripe.chargesAre = 'succeeded'
  assert.deepEqual([open.status, open.failure?.code], ['pending', 'needs_customer'])
  assert.deepEqual(await events('asks-1'), ['payment.needs_customer'])
  const number = (open.checkout_url ?? '').slice(-24)
  const choice = { accountId: house.accountIds.stripe, method: 'card' as const }
  const sessions = new Set(stripe.books.sessions.keys())
  const payment = { merchantId: house.merchantId, number }
  assert.equal((await house.app.payer.choose(payment, choice, 'en')).kind, 'action_required')
  const session = [...stripe.books.sessions.keys()].find((each) => !sessions.has(each)) ?? assert.fail()
  assert.match(stripe.books.sessions.get(session)?.customer ?? '', /^cus_/, 'the page shows the saved card')
  stripe.act(session, 'pay')
  const paid = await lookUp(live, 'asks-1')
  assert.deepEqual([paid.status, paid.failure], ['success', undefined])
})

test('a lost answer of Stripe is asked about, and a lost charge is shut out and silent', async () => {
  const live = liveCalls(house)
  const { stripe } = house.networks
  stripe.callbacks.manner = 'lost'
  const { id } = await saveAt(house, 'stripe', { customer_ref: 'lost' })
  const path = { path: /payment_intents$/, method: 'POST' }
  void stripe.turn({ kind: 'cuts', when: 'after' }, path)
  assert.equal((await charged(live, id, { tx_ref: 'lost-1', amount: '3.21' })).status, 'pending')
  assert.equal((await charged(live, id, { tx_ref: 'lost-1', amount: '3.21' })).status, 'pending')
  clock.jump(10_000)
  await reconcile(house.app.paying)
  assert.equal((await lookUp(live, 'lost-1')).status, 'success')
  assert.equal(stripe.books.bookings.filter(({ amount }) => amount === 321).length, 1)

  void stripe.turn({ kind: 'cuts', when: 'before' }, path)
  assert.equal((await charged(live, id, { tx_ref: 'lost-2', amount: '4.56' })).status, 'pending')
  clock.jump(10_000)
  await reconcile(house.app.paying)
  const silent = await lookUp(live, 'lost-2')
  assert.deepEqual(
    [silent.status, silent.failure?.code, silent.failure?.may_retry],
    ['failed', 'network_silent', true],
  )
  assert.equal(stripe.books.bookings.filter(({ amount }) => amount === 456).length, 0)
  stripe.callbacks.manner = 'at_once'
})

test('a callback about a charge whose answer was lost settles it', async () => {
  const live = liveCalls(house)
  const { stripe } = house.networks
  const { id } = await saveAt(house, 'stripe', { customer_ref: 'callback' })
  await hearCallbacks('stripe')
  stripe.callbacks.manner = 'twice'
  void stripe.turn({ kind: 'cuts', when: 'after' }, { path: /payment_intents$/, method: 'POST' })
  await charged(live, id, { tx_ref: 'callback-1', amount: '6.54' })
  await hearCallbacks('stripe')
  const [payment] = await house.db.query<{ state: string }>(sql`
    select state from payments where tx_ref = 'callback-1'`)
  assert.equal(payment?.state, 'success')
  assert.deepEqual(await events('callback-1'), ['payment.success'])
  stripe.callbacks.manner = 'at_once'
})

test('a mandate at GoCardless is charged in days, may come back, and ends when the customer cancels it', async () => {
  const live = liveCalls(house)
  const { gocardless } = house.networks
  const { id, kind, brand, network } = await saveAt(house, 'gocardless')
  assert.deepEqual([kind, brand, network], ['debit', 'BARCLAYS BANK PLC', 'gocardless'])
  const euros = await charge(live, id, { tx_ref: 'debit-in-euros', amount: '7.77', currency: 'EUR' })
  assert.equal(euros.json.code, 'charge_limit')
  assert.match(euros.json.message, /in GBP only/)
  assert.equal((await charged(live, id, { tx_ref: 'debit-1', amount: '7.77' })).status, 'pending')
  const debit = () => [...gocardless.books.payments.values()].find(({ amount }) => amount === 777)?.id ?? ''
  gocardless.movePayment(debit(), 'submitted')
  await hearCallbacks('gocardless')
  assert.equal((await lookUp(live, 'debit-1')).status, 'pending')
  gocardless.movePayment(debit(), 'confirmed')
  await hearCallbacks('gocardless')
  assert.equal((await lookUp(live, 'debit-1')).status, 'success')
  gocardless.movePayment(debit(), 'charged_back', 'authorisation_disputed')
  await hearCallbacks('gocardless')
  const [dispute] = await house.db.query<{ state: string; reason: string }>(sql`
    select state, reason from disputes where reference = ${debit()}`)
  assert.deepEqual(dispute, { state: 'lost', reason: 'authorisation_disputed' })
  assert.deepEqual(await events('debit-1'), ['dispute.lost', 'payment.reversed', 'payment.success'])

  await charged(live, id, { tx_ref: 'debit-2', amount: '8.88' })
  const second = [...gocardless.books.payments.values()].find(({ amount }) => amount === 888)?.id ?? ''
  gocardless.movePayment(second, 'failed', 'refer_to_payer')
  await hearCallbacks('gocardless')
  const failed = await lookUp(live, 'debit-2')
  assert.deepEqual([failed.status, failed.failure?.reason], ['failed', 'insufficient_funds'])

  const [mandate = ''] = [...gocardless.books.mandates.keys()].slice(-1)
  gocardless.moveMandate(mandate, 'cancelled')
  await hearCallbacks('gocardless')
  const shown = await call(`${house.url}/api/saved-methods/${id}`, { key: house.liveKey })
  const { usable, ended_by } = shown.json.data as { usable: boolean; ended_by: string }
  assert.deepEqual([usable, ended_by], [false, 'network'])
})

test('a card at Paystack is charged with its own e-mail address and deactivated at the end', async () => {
  const live = liveCalls(house)
  const { paystack } = house.networks
  const { id } = await saveAt(house, 'paystack')
  const paid = await charged(live, id, { tx_ref: 'paystack-1', currency: 'ZAR', amount: '5.55' })
  assert.equal(paid.status, 'success')
  await call(`${house.url}/api/saved-methods/${id}`, { method: 'DELETE', key: house.liveKey })
  await forgetMethods(keeping())
  assert.equal([...paystack.books.authorizations.values()].at(-2)?.active ?? false, false)
})

test('a payment that saves its method is not offered at PayPal', async () => {
  const link = await newLink(house, { save: 'recurring', customer_ref: 'ada' }, house.liveKey)
  const plain = await newLink(house, {}, house.liveKey)
  assert.match((await call(plain.url)).text, /PayPal/)
  assert.doesNotMatch((await call(link.url)).text, /PayPal/)
})

test('a present customer pays with a saved method by one press, and on the network’s page where their bank wants more', async () => {
  const live = liveCalls(house)
  const { stripe } = house.networks
  for (const [network, currency, status] of [
    ['stripe', 'GBP', 'success'],
    ['gocardless', 'GBP', 'pending'],
    ['paystack', 'ZAR', 'success'],
  ] as const) {
    const customer_ref = `presses-${network}`
    const { id } = await saveAt(house, network, { customer_ref })
    const fields = { customer_ref, currency, callback_url: undefined, return_url: undefined }
    const link = await newLink(house, fields, house.liveKey)
    await pressSaved(link)
    const paid = await lookUp(live, link.txRef)
    assert.equal(paid.status, status, network)
    assert.equal(paid.saved_method?.id, status === 'success' ? id : undefined)
  }
  const asked = { customer_ref: 'presses-stripe', callback_url: undefined, return_url: undefined }
  const link = await newLink(house, asked, house.liveKey)
  stripe.chargesAre = { code: 'authentication_required', decline_code: 'authentication_not_handled' }
  await pressSaved(link)
  stripe.chargesAre = 'succeeded'
  const page = (await call(link.url)).text
  assert.match(page, /Your bank wants you to approve this payment yourself/)
  assert.doesNotMatch(page, /pay-saved/)
  assert.match(page, /\/choose"/)
})
