import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { addAccount, removeAccount } from '../../src/core/merchants/accounts/change-accounts.ts'
import type { Owner } from '../../src/core/merchants/accounts/stored-accounts.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { startStripe, type StripeStandIn } from '../support/networks/stripe.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { testSecretsKey } from '../support/secrets.ts'
import { waitUntil } from '../support/wait-until.ts'

// A live payment that is known by a callback: the network tells, Florin asks, and only the answer counts. Then the books of
// both are compared. The network is Stripe's stand-in.

const webhookSecret = 'whsec_of-the-endpoint'
let stripe: StripeStandIn
let house: House
let accountId: string
let sharedId: string

before(async () => {
  stripe = await startStripe()
  house = await openHouse({ settings: { STRIPE_URL: stripe.url } })
  await waitUntil('it listens', () => house.app.listener.connected)
  accountId = await connect(house.merchantId)
})

after(async () => {
  await house.close()
  await stripe.close()
})

async function connect(owner: Owner): Promise<string> {
  const credentials = { secret_key: stripe.secretKey, webhook_secret: webhookSecret }
  const account = { connector: 'stripe', credentials, label: 'Corner shop (acct_standin)', sandbox: true }
  const id = await addAccount(house.db, house.secrets, owner, { ...account, callbacks: 'set_up' })
  stripe.callbacks.to(`${house.url}/callbacks/stripe/${owner}`, webhookSecret)
  return id ?? assert.fail()
}

type Live = {
  readonly txRef: string
  readonly session: string
  readonly key: string
  readonly number: string
}

/** A live payment whose customer was sent to the network's page. */
async function sendToPage(
  merchantId = house.merchantId,
  key = house.liveKey,
  account = accountId,
): Promise<Live> {
  const request = paymentRequest()
  const created = await post(`${house.url}/api/payment`, request, key)
  assert.equal(created.status, 201, created.text)
  const { checkout_url } = created.json.data as { checkout_url: string }
  const number = checkout_url.slice(-24)
  const known = new Set(stripe.books.sessions.keys())
  const payment = { merchantId, number, mode: 'live' as const }
  await waitUntil('the account is known', async () => {
    const sent = await house.app.payer.choose(payment, { accountId: account, method: 'card' }, 'en')
    return sent.kind !== 'unavailable'
  })
  const session = [...stripe.books.sessions.keys()].find((id) => !known.has(id)) ?? assert.fail()
  return { txRef: String(request['tx_ref']), session, key, number }
}

async function lookUp({ txRef, key }: Live): Promise<string> {
  const found = await call(`${house.url}/api/transaction/${txRef}`, { key })
  return (found.json.data as { status: string }).status
}

/** As it stands in our table: a look-up would ask the network by itself. */
async function statusOf({ number }: Live): Promise<string> {
  const [row] = await house.db.query<{ state: string }>(
    sql`select state from payments where number = ${number}`,
  )
  return row?.state ?? assert.fail()
}

/** What the worker does when it is woken. */
async function work(): Promise<void> {
  await stripe.callbacks.settled()
  const job = house.app.jobs.find(({ name }) => name === 'callbacks') ?? assert.fail()
  while ((await job.run()) > 0);
}

async function statesOf(merchantId: number, about: string): Promise<string[]> {
  const rows = await house.db.query<{ state: string }>(sql`
    select state from callback_events where merchant_id = ${merchantId} and about = ${about} order by received_at`)
  return rows.map(({ state }) => state)
}

/** Stripe's word that a customer came to the end of its page. */
function completed(id: string, payment: Live, told: object = {}): string {
  const metadata = { florin_merchant: String(house.merchantId), florin_payment: payment.number }
  const object = { id: payment.session, object: 'checkout.session', ...told, metadata }
  const created = Math.floor(Date.now() / 1000)
  return JSON.stringify({
    id,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object },
  })
}

async function sendEvent({ url }: Pick<House, 'url'>, body: string, secret: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.sign(body, secret) }
  const answer = await fetch(`${url}/callbacks/stripe/${house.merchantId}`, { method: 'POST', body, headers })
  await answer.arrayBuffer()
  return answer.status
}

test('a payment on the network’s page is recorded once by its callback, sent twice', async () => {
  const payment = await sendToPage()
  stripe.callbacks.manner = 'twice'
  stripe.act(payment.session, 'pay')
  assert.equal(await statusOf(payment), 'pending', 'a callback itself says nothing about money')
  await work()
  stripe.callbacks.manner = 'at_once'
  assert.equal(await statusOf(payment), 'success')
  assert.deepEqual(new Set(stripe.callbacks.sent.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await statesOf(house.merchantId, 'order'), ['done'])
})

test('looking up a payment with a lost callback asks the network', async () => {
  const payment = await sendToPage()
  stripe.callbacks.to('http://127.0.0.1:9/', webhookSecret)
  stripe.act(payment.session, 'pay')
  assert.equal(await lookUp(payment), 'success')
  stripe.callbacks.to(`${house.url}/callbacks/stripe/${house.merchantId}`, webhookSecret)
})

test('a signed callback that lies changes nothing: the network is asked', async () => {
  const payment = await sendToPage()
  const body = completed('evt_lie', payment, { payment_status: 'paid', status: 'complete' })
  assert.equal(await sendEvent(house, body, webhookSecret), 200)
  await work()
  assert.equal(await statusOf(payment), 'pending')
  stripe.act(payment.session, 'pay')
  await work()
  assert.equal(await statusOf(payment), 'success')
})

test('two servers that get an event at once store it once, and neither stores a forged one', async () => {
  const second = await openHouse({ databaseUrl: house.databaseUrl, settings: { STRIPE_URL: stripe.url } })
  try {
    const payment = await sendToPage()
    stripe.callbacks.manner = 'lost'
    stripe.act(payment.session, 'pay')
    const body = completed('evt_at_both', payment)
    const sendToBoth = async (secret: string): Promise<number[]> =>
      Promise.all([house, second, house, second].map(async (at) => sendEvent(at, body, secret)))
    const kept = async (): Promise<number> => {
      const rows = await house.db.query(sql`
        select from callback_events where merchant_id = ${house.merchantId} and event_id = 'evt_at_both'`)
      return rows.length
    }
    assert.deepEqual(await sendToBoth('whsec_of-somebody-else'), [400, 400, 400, 400])
    assert.equal(await kept(), 0)
    assert.deepEqual(await sendToBoth(webhookSecret), [200, 200, 200, 200])
    assert.equal(await kept(), 1)
    stripe.callbacks.manner = 'at_once'
    await Promise.all(
      [house, second].map(async ({ app }) => app.jobs.find(({ name }) => name === 'callbacks')?.run()),
    )
    assert.equal(await statusOf(payment), 'success')
    const paid = await house.db.query(sql`
      select from payment_history where merchant_id = ${house.merchantId} and number = ${payment.number}
        and to_state = 'success'`)
    assert.equal(paid.length, 1)
  } finally {
    stripe.callbacks.manner = 'at_once'
    await second.close()
  }
})

test('while the network is down an event waits, and isn’t lost', async () => {
  const payment = await sendToPage()
  void stripe.turn({ kind: 'fails', when: 'before' }, { times: 1 })
  stripe.act(payment.session, 'pay')
  await work()
  assert.equal(await statusOf(payment), 'pending')
  assert.ok((await statesOf(house.merchantId, 'order')).includes('waiting'))
  await house.db.query(sql`
    update callback_events set next_try_at = now() - interval '1 second'
    where merchant_id = ${house.merchantId} and state = 'waiting'`)
  await work()
  assert.equal(await statusOf(payment), 'success')
})

test('an account of the installation serves a merchant without its own', async () => {
  const other = await createMerchant(house.db, { name: 'Small shop', liveEnabled: true })
  const { key } = await createKey(house.db, other, { kind: 'secret', mode: 'live', name: 'live' })
  sharedId = await connect('installation')
  const payment = await sendToPage(other, key, sharedId)
  stripe.act(payment.session, 'pay')
  await work()
  assert.equal(await statusOf(payment), 'success')
  assert.deepEqual(await statesOf(other, 'order'), ['done'])
})

async function reconcile(...args: string[]): Promise<Ended> {
  return runFlorin(['reconcile', '--since', '1d', ...args], {
    DATABASE_URL: house.databaseUrl,
    SECRETS_KEY: testSecretsKey,
    STRIPE_URL: stripe.url,
  })
}

test('matching records exit with 0, and every difference is a line and exits with 1', async () => {
  const alike = await reconcile('--json')
  assert.deepEqual(alike, { code: 0, out: '[]\n', err: '' })

  const payment = await sendToPage()
  stripe.act(payment.session, 'pay')
  await work()
  await house.db.query(sql`
    update attempts set charged_minor = charged_minor - 1
    where merchant_id = ${house.merchantId} and number = ${payment.number}`)
  const differing = await reconcile()
  assert.equal(differing.code, 1, differing.err)
  assert.match(
    differing.out,
    new RegExp(`^amounts differ  acc_\\w+  \\S+Z  [\\d.,]+ GBP  [\\d.,]+ GBP  pi_\\w+  ${payment.txRef}\\n$`),
  )
  assert.match(
    differing.err,
    /^acc_\w+ of the installation, Corner shop \(acct_standin\), sandbox: \d+ charges? alike, 1 differs/,
  )
  assert.match((await runFlorin(['reconcile'])).err, /^--since is required/)
  assert.match((await reconcile('acc_0000000000000000')).err, /^Account not found/)
})

test('reconcile copies new bookings and compares the balance, and a balance that differs ends with 1', async () => {
  stripe.books.book('adjustment', 500, 'eur', { id: 'adj_1', object: 'adjustment' })
  const alike = await reconcile(accountId)
  assert.match(alike.err, /; balance of 5\.00 EUR alike at \S+Z/)
  assert.doesNotMatch(alike.out, /balance differs/)

  const place = stripe.books.bookings.findIndex(({ type }) => type === 'adjustment')
  const booking = stripe.books.bookings[place] ?? assert.fail()
  stripe.books.bookings[place] = { ...booking, amount: 493, net: 493 }
  const differing = await reconcile(accountId)
  assert.equal(differing.code, 1)
  assert.match(
    differing.out,
    new RegExp(`^balance differs +${accountId} +\\S+Z +4\\.93 EUR +5\\.00 EUR +- +-$`, 'm'),
  )
  assert.match(differing.err, /; balance differs by -0\.07 EUR at \S+Z/)
  const printed = JSON.parse((await reconcile(accountId, '--json')).out) as Record<string, unknown>[]
  const { at, ...found } = printed.find(({ kind }) => kind === 'balance_differs') ?? assert.fail()
  assert.ok(Date.parse(String(at)) > 0)
  assert.deepEqual(found, {
    kind: 'balance_differs',
    account: accountId,
    connector: 'stripe',
    sandbox: true,
    merchant: house.merchantId,
    tx_ref: null,
    there: { amount_minor: 493, currency: 'EUR' },
    here: { amount_minor: 500, currency: 'EUR' },
    reference: null,
  })
  stripe.books.bookings[place] = booking
  assert.doesNotMatch((await reconcile(accountId)).out, /balance differs/)
})

test('a removed account is compared while its payments may end, and an unreadable one doesn’t block others', async () => {
  const payment = await sendToPage()
  stripe.act(payment.session, 'pay')
  await work()
  await house.db.query(sql`
    update attempts set charged_minor = charged_minor - 1
    where merchant_id = ${house.merchantId} and number = ${payment.number}`)
  const differs = new RegExp(`amounts differ[^\n]* ${payment.txRef}\n`)
  await removeAccount(house.db, { owner: 'installation', id: sharedId })
  await removeAccount(house.db, { owner: house.merchantId, id: accountId })
  assert.match((await reconcile()).out, differs)

  const other = await createMerchant(house.db, { name: 'Locked out', liveEnabled: true })
  const credentials = { secret_key: 'sk_test_revoked', webhook_secret: webhookSecret }
  const account = { connector: 'stripe', credentials, label: 'Locked out (acct_other)', sandbox: true }
  const id = (await addAccount(house.db, house.secrets, other, { ...account, callbacks: 'set_up' })) ?? ''
  const alive = await reconcile()
  assert.match(alive.out, differs, 'the others are compared')
  assert.match(alive.err, new RegExp(`${id} of [^\n]+ was not compared: Stripe gave no answer`))
  assert.equal(alive.code, 69)

  await removeAccount(house.db, { owner: other, id })
  const gone = await reconcile()
  assert.match(gone.out, differs)
  assert.match(gone.err, new RegExp(`${id} of [^\n]+, which was removed, was not compared`))
  assert.equal(gone.code, 1, 'for the difference alone')
})
