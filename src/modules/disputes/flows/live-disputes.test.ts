import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { listAccounts } from '../../../core/merchants/accounts/list-accounts.ts'
import { lookForLostDisputes, type Looked } from '../look-for-lost.ts'
import { answerDispute } from '../replies/answer-dispute.ts'
import { checkReportedDispute } from '../check-reported-dispute.ts'
import { addAccount } from '../../../core/merchants/accounts/change-accounts.ts'
import type { Owner } from '../../../core/merchants/accounts/stored-accounts.ts'
import { createKey } from '../../../core/merchants/change-keys.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import type { Paying } from '../../../core/payments/attempts/paying.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { startStripe, type StripeStandIn } from '../../../../test/support/networks/stripe.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'

// Disputes of a live network, known by its callbacks: Stripe's stand-in.

const webhookSecret = 'whsec_of-the-endpoint'
let stripe: StripeStandIn
let house: House
let accountId: string

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

async function paid(merchantId = house.merchantId, key = house.liveKey, account = accountId): Promise<Live> {
  const { txRef, number } = await createPayment(house, { callback_url: 'https://shop.example.com/ipn' }, key)
  const known = new Set(stripe.books.sessions.keys())
  await waitUntil('the account is known', async () => {
    const choice = { accountId: account, method: 'card' } as const
    const sent = await house.app.payer.choose({ merchantId, number }, choice, 'en')
    return sent.kind !== 'unavailable'
  })
  const session = [...stripe.books.sessions.keys()].find((id) => !known.has(id)) ?? assert.fail()
  stripe.act(session, 'pay')
  await work()
  const payment = { txRef, session, key, number }
  assert.equal((await look(payment)).status, 'success')
  return payment
}

type Shown = { status: string; dispute?: { status: string; money_taken: boolean; reason: string } }

async function look({ txRef, key }: Live): Promise<Shown> {
  return (await call(`${house.url}/api/transaction/${txRef}`, { key })).json.data
}

async function standing(payment: Live): Promise<string> {
  const { status, dispute } = await look(payment)
  return [status, dispute?.status, dispute?.money_taken].join(' ')
}

async function work(): Promise<void> {
  await stripe.callbacks.settled()
  const job = house.app.jobs.find(({ name }) => name === 'callbacks') ?? assert.fail()
  while ((await job.run()) > 0);
}

async function told({ number }: Live): Promise<string[]> {
  const rows = await house.db.query<{ event: string }>(sql`
    select event from deliveries where number = ${number} and kind = 'ipn' order by created_at, event`)
  return rows.map(({ event }) => event)
}

async function statesOf(merchantId: number): Promise<string[]> {
  const rows = await house.db.query<{ state: string }>(sql`
    select distinct state from callback_events where merchant_id = ${merchantId} and about = 'dispute'`)
  return rows.map(({ state }) => state)
}

test('a callback triggers a look-up, and the payment follows the money: taken when opened, back when won', async () => {
  const payment = await paid()
  stripe.callbacks.manner = 'twice'
  const dispute = stripe.dispute(payment.session)
  assert.equal(await standing(payment), 'success  ', 'a callback itself says nothing')
  await work()
  assert.equal(await standing(payment), 'reversed evidence_due true')
  dispute.status = 'under_review'
  stripe.endDispute(dispute.id, 'won')
  await work()
  stripe.callbacks.manner = 'at_once'
  assert.equal(await standing(payment), 'success won false')
  assert.deepEqual(await statesOf(house.merchantId), ['done'])
})

test('late and out-of-order callbacks end with the network’s state', async () => {
  const payment = await paid()
  stripe.callbacks.manner = 'held'
  const dispute = stripe.dispute(payment.session)
  stripe.endDispute(dispute.id, 'lost')
  await stripe.callbacks.release('newest_first')
  stripe.callbacks.manner = 'at_once'
  await work()
  assert.equal(await standing(payment), 'reversed lost true')
  const row = await house.db.query(sql`select id from disputes where number = ${payment.number}`)
  assert.equal(row.length, 1)
})

test('an inquiry leaves the money where it is', async () => {
  const payment = await paid()
  const inquiry = stripe.dispute(payment.session, 'inquiry')
  await work()
  assert.equal(await standing(payment), 'success evidence_due false')
  inquiry.status = 'needs_response'
  inquiry.balance_transactions.push({ amount: -inquiry.amount })
  await house.db.query(sql`update disputes set next_check_at = now() where number = ${payment.number}`)
  const job = house.app.jobs.find(({ name }) => name === 'disputes') ?? assert.fail()
  await job.run()
  assert.equal(await standing(payment), 'reversed evidence_due true', 'it became a dispute, told by nobody')
})

test('an answer to an older look-up is dropped', async () => {
  const payment = await paid()
  const dispute = stripe.dispute(payment.session, 'inquiry')
  await work()
  const { paying } = house.app
  const asked = { merchantId: house.merchantId, connector: 'stripe', accountId, reference: dispute.id }
  let release: (() => void) | undefined
  const slow: Paying = {
    ...paying,
    connectors: paying.connectors.map((one) => {
      if (one.kind !== 'hosted' || !one.fetchDispute) return one
      const fetchSlowly: typeof one.fetchDispute = async (...question) => {
        const answer = await one.fetchDispute?.(...question)
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return answer
      }
      return { ...one, fetchDispute: fetchSlowly }
    }),
  }
  const old = checkReportedDispute(slow, asked)
  await waitUntil('the old answer is there', () => release !== undefined)
  dispute.status = 'needs_response'
  dispute.balance_transactions.push({ amount: -dispute.amount })
  assert.equal(await checkReportedDispute(paying, asked), 'asked')
  assert.equal(await standing(payment), 'reversed evidence_due true')
  release?.()
  await old
  assert.equal(await standing(payment), 'reversed evidence_due true')
})

test('a won dispute stays won, whatever the network says later, and a person is told', async () => {
  const payment = await paid()
  const dispute = stripe.dispute(payment.session)
  stripe.endDispute(dispute.id, 'won')
  await work()
  stripe.endDispute(dispute.id, 'lost')
  await work()
  assert.equal(await standing(payment), 'success won false')
  assert.match(house.log(), /A network contradicts its earlier answer about a dispute/)
})

test('a lost dispute can be won by an appeal', async () => {
  const payment = await paid()
  const dispute = stripe.dispute(payment.session)
  stripe.endDispute(dispute.id, 'lost')
  await work()
  assert.equal(await standing(payment), 'reversed lost true')
  stripe.endDispute(dispute.id, 'won')
  await work()
  assert.equal(await standing(payment), 'success won false')
  assert.equal((await told(payment)).filter((event) => event === 'payment.success').length, 1)
})

test('with two disputes of a payment the money is back when both have returned it', async () => {
  const payment = await paid()
  const [first, second] = [stripe.dispute(payment.session), stripe.dispute(payment.session)]
  await work()
  stripe.endDispute(first.id, 'won')
  await work()
  assert.equal(await standing(payment), 'reversed evidence_due true')
  stripe.endDispute(second.id, 'won')
  await work()
  assert.equal(await standing(payment), 'success won false')
})

test('an installation account’s dispute finds its merchant by the order, and a foreign charge finds none', async () => {
  const other = await createMerchant(house.db, { name: 'Small shop', liveEnabled: true })
  const { key } = await createKey(house.db, other, { kind: 'secret', mode: 'live', name: 'live' })
  const shared = await connect('installation')
  const payment = await paid(other, key, shared)
  stripe.dispute(payment.session)
  await work()
  assert.equal(await standing(payment), 'reversed evidence_due true')

  // Somebody else's program uses the same account, and copied our names onto a charge of its own.
  const stranger = await paid(other, key, shared)
  const intent = stripe.books.intents.get(stranger.session) ?? assert.fail()
  const forged = { ...intent, id: 'pi_forged' }
  stripe.books.intents.set('cs_forged', forged)
  stripe.books.sessions.set('cs_forged', stripe.books.sessions.get(stranger.session) ?? assert.fail())
  stripe.dispute('cs_forged')
  await work()
  assert.equal(await standing(stranger), 'success  ')
  assert.deepEqual((await statesOf(0)).toSorted(), ['done', 'unknown'])
})

test('a dispute whose first callback was lost is found by asking, once', async () => {
  stripe.callbacks.to(`${house.url}/callbacks/stripe/${house.merchantId}`, webhookSecret)
  const payment = await paid()
  stripe.callbacks.manner = 'lost'
  stripe.dispute(payment.session)
  stripe.callbacks.manner = 'at_once'
  await work()
  assert.equal(await standing(payment), 'success  ', 'nobody has told us')
  const { paying } = house.app
  const until = new Map<string, Looked>()
  void stripe.turn({ kind: 'fails', when: 'before' }, { times: 1 })
  await lookForLostDisputes(paying, until)
  assert.match(house.log(), /A network did not list its disputes/)
  await lookForLostDisputes(paying, until)
  assert.equal(await standing(payment), 'reversed evidence_due true')
  assert.deepEqual((await told(payment)).filter((event) => event === 'dispute.opened').length, 1)
  await lookForLostDisputes(paying, until)
  assert.equal((await told(payment)).filter((event) => event === 'dispute.opened').length, 1)
  const job = house.app.jobs.find(({ name }) => name === 'lost disputes') ?? assert.fail()
  assert.equal(await job.run(), 0)
})

test('a lost dispute at an installation account finds its merchant', async () => {
  const other = await createMerchant(house.db, { name: 'Third shop', liveEnabled: true })
  const { key } = await createKey(house.db, other, { kind: 'secret', mode: 'live', name: 'live' })
  const [shared] = await listAccounts(house.db, 'installation')
  const payment = await paid(other, key, shared?.id)
  stripe.callbacks.manner = 'lost'
  stripe.dispute(payment.session)
  stripe.callbacks.manner = 'at_once'
  await lookForLostDisputes(house.app.paying)
  assert.equal(await standing(payment), 'reversed evidence_due true')
})

test('an unavailable network decides nothing, and is asked again', async () => {
  stripe.callbacks.to(`${house.url}/callbacks/stripe/${house.merchantId}`, webhookSecret)
  const payment = await paid()
  void stripe.turn({ kind: 'fails', when: 'before' }, { times: 1 })
  stripe.dispute(payment.session)
  await work()
  await house.db.query(sql`
    update callback_events set next_try_at = now() - interval '1 second'
    where merchant_id = ${house.merchantId} and state = 'waiting'`)
  await work()
  assert.equal(await standing(payment), 'reversed evidence_due true')
})

test('evidence sent from Florin reaches Stripe once, also when its answer is lost', async () => {
  const payment = await paid()
  const dispute = stripe.dispute(payment.session)
  await work()
  const [row] = await house.db.query<{ id: string }>(sql`
    select id from disputes where number = ${payment.number}`)
  const key = { merchantId: house.merchantId, id: row?.id ?? '' }
  const texts = { product_description: 'A chair' }
  const bytes = Buffer.from('%PDF-1.7')
  const files = [{ field: 'delivery_file', type: 'application/pdf', bytes }] as const
  const reply = { id: 'rpl_live', kind: 'evidence', evidence: { texts, files } } as const
  void stripe.turn({ kind: 'cuts', when: 'after' }, { path: /disputes\/du_/, method: 'POST' })
  const end = await answerDispute(house.app.paying, key, reply, { kind: 'person', name: 'per_1' })
  assert.deepEqual(end, { kind: 'sent' })
  assert.equal(await standing(payment), 'reversed under_review true')
  assert.equal(dispute.evidence_details.submission_count, 1)
  assert.equal(dispute.evidence['product_description'], 'A chair')
  assert.match(dispute.evidence['shipping_documentation'] ?? '', /^file_/)
  const submits = stripe.requests.filter(({ path, method }) => method === 'POST' && path.endsWith(dispute.id))
  assert.deepEqual(
    submits.map(({ headers }) => headers['idempotency-key']),
    ['rpl_live'],
  )
})
