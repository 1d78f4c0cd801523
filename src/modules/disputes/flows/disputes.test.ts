import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { sql } from '../../../platform/database/sql.ts'
import { checkDisputes } from '../check-disputes.ts'
import { listedDisputeSchema } from '../api/operations.ts'
import { transactionSchema } from '../../../core/payments/api/schemas.ts'
import { eventSchema } from '../../../core/payments/api/webhooks.ts'
import { createKey } from '../../../core/merchants/change-keys.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import { cardOf } from '../../../../test/support/till.ts'

// Disputes on the test network, from the card to the notification, by a clock that the test moves.

const cards = { won: cardOf('4000 0000 0000 2685'), lost: cardOf('4000 0000 0000 0259') }

let house: House
let clock: Clock

before(async () => {
  clock = makeStillClock()
  house = await openHouse({ world: { now: clock.now } })
})
after(() => house.close())

type Disputed = { readonly txRef: string; readonly number: string; readonly merchantId: number }
type Dispute = {
  id: string
  status: string
  reason: string
  amount: string
  amount_minor: number
  evidence_due_at: string | null
  money_taken: boolean
  tx_ref?: string
}
type Shown = { status: string; refunded?: string; dispute?: Dispute }

async function paid(card: keyof typeof cards): Promise<Disputed> {
  const payment = await createPayment(house, { amount: '20.00' })
  const { kind } = await house.app.payer.pay({ ...payment, mode: 'test' }, cards[card])
  assert.equal(kind, 'paid')
  return payment
}

async function look({ txRef }: Disputed): Promise<Shown> {
  return (await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })).json.data
}

async function runJob(): Promise<void> {
  const job = house.app.jobs.find(({ name }) => name === 'disputes') ?? assert.fail()
  while ((await job.run()) > 0);
}

async function pass(ms: number): Promise<void> {
  clock.jump(ms)
  await runJob()
}

/** What was told of a payment, and how things stood then. */
async function told({ number }: Disputed): Promise<string[]> {
  const rows = await house.db.query<{ event: string; status: string }>(sql`
    select event, body::json ->> 'status' as status from deliveries
    where number = ${number} and kind = 'ipn' order by created_at, event`)
  return rows.map(({ event, status }) => `${event} ${status}`)
}

async function mailsTo(target: string): Promise<string[]> {
  const rows = await house.db.query<{ event: string }>(sql`
    select event from deliveries where kind = 'mail' and target = ${target} order by created_at, id`)
  return rows.map(({ event }) => event)
}

test('a dispute takes the money, and returns it when won', async () => {
  const payment = await paid('won')
  await runJob()
  assert.equal((await look(payment)).dispute, undefined)

  await pass(5_000)
  const open = await look(payment)
  assert.equal(open.status, 'reversed')
  assert.equal(open.dispute?.status, 'evidence_due')
  assert.deepEqual([open.dispute.amount, open.dispute.amount_minor], ['20.00', 2_000])
  assert.equal(open.dispute.money_taken, true)
  assert.equal(Date.parse(open.dispute.evidence_due_at ?? ''), clock.now().getTime() + 60_000)

  await pass(60_000)
  const won = await look(payment)
  assert.equal(won.status, 'success')
  assert.deepEqual([won.dispute?.status, won.dispute?.money_taken], ['won', false])
  assert.equal(won.dispute?.evidence_due_at, null)
  assert.deepEqual(await told(payment), [
    'payment.success success',
    'dispute.opened reversed',
    'payment.reversed reversed',
    'dispute.won success',
  ])
  const receipts = (await mailsTo('ada@example.com')).filter((event) => event === 'payment.success')
  assert.equal(receipts.length, 1, 'the customer gets no second receipt')
})

test('a lost dispute stays reversed, and the merchant is told what to do by when', async () => {
  const payment = await paid('lost')
  await pass(5_000)
  await pass(60_000)
  const lost = await look(payment)
  assert.deepEqual([lost.status, lost.dispute?.status, lost.dispute?.money_taken], ['reversed', 'lost', true])
  assert.equal((await told(payment)).at(-1), 'dispute.lost reversed')
  const rows = await house.db.query<{ event: string; body: string }>(sql`
    select event, body from deliveries
    where kind = 'mail' and target = 'merchant' and body like ${`%${payment.txRef}%`} order by created_at, event`)
  assert.deepEqual(
    rows.map(({ event }) => event),
    ['dispute.opened', 'dispute.lost'],
  )
})

test('a worker that was down throughout finds the result, and announces it once', async () => {
  const payment = await paid('lost')
  clock.jump(3_600_000)
  await runJob()
  await runJob()
  assert.equal((await look(payment)).dispute?.status, 'lost')
  assert.deepEqual(await told(payment), [
    'payment.success success',
    'dispute.lost reversed',
    'payment.reversed reversed',
  ])
})

test('without callbacks an open dispute is still checked', async () => {
  const payment = await paid('won')
  await pass(5_000)
  // As if every callback from here on was lost.
  await house.db.query(sql`
    update test_network.charges set next_tell_at = null where payment_number = ${payment.number}`)
  await pass(3_600_000)
  assert.equal((await look(payment)).dispute?.status, 'won')
  const [left] = await house.db.query<{ count: number }>(sql`
    select count(*)::integer as count from disputes where number = ${payment.number} and next_check_at is not null`)
  assert.equal(left?.count, 0, 'and nobody asks any more')
})

test('a network that fails to list news doesn’t stop the checks of known disputes', async () => {
  const payment = await paid('won')
  await pass(5_000)
  clock.jump(3_600_000)
  const { paying } = house.app
  const connectors = paying.connectors.map((one) =>
    one.kind === 'form' ? { ...one, newsOfDisputes: () => Promise.reject(new Error('away')) } : one,
  )
  assert.ok((await checkDisputes({ ...paying, connectors })) > 0)
  assert.equal((await look(payment)).dispute?.status, 'won')
  await runJob()
})

test('many workers at once open one dispute and announce it once', async () => {
  const payment = await paid('lost')
  clock.jump(5_000)
  const job = house.app.jobs.find(({ name }) => name === 'disputes') ?? assert.fail()
  await house.db.query(sql`
    update test_network.charges set next_tell_at = ${clock.now()} where payment_number = ${payment.number}`)
  await Promise.all(Array.from({ length: 10 }, () => job.run()))
  await runJob()
  assert.deepEqual((await told(payment)).slice(1), ['dispute.opened reversed', 'payment.reversed reversed'])
})

test('after a partial refund the bank still takes the rest, and after a full one the payment returns as refunded', async () => {
  const part = await paid('won')
  await house.db.query(sql`update payments set refunded_minor = 500 where number = ${part.number}`)
  const whole = await paid('won')
  await house.db.query(sql`
    update payments set refunded_minor = amount_minor, state = 'refunded' where number = ${whole.number}`)
  await pass(5_000)
  assert.deepEqual([(await look(part)).status, (await look(part)).refunded], ['reversed', '5.00'])
  assert.equal((await look(whole)).status, 'reversed')
  await pass(60_000)
  assert.equal((await look(part)).status, 'success')
  assert.equal((await look(whole)).status, 'refunded')
  const events = await told(whole)
  assert.ok(!events.some((event) => event.startsWith('payment.refunded')), 'nothing was refunded anew')
})

test('a disputed transaction, a listed dispute and its notification have the documented shapes', async () => {
  const ajv = new Ajv2020({ strict: false, formats: { uri: true, email: true } })
  const listed = (await call(`${house.url}/api/disputes`, { key: house.secretKey })).json.data as Dispute[]
  for (const dispute of listed) {
    assert.ok(ajv.validate(listedDisputeSchema, dispute), ajv.errorsText())
    const shown = await look({ txRef: dispute.tx_ref ?? '', number: '', merchantId: 0 })
    assert.ok(ajv.validate(transactionSchema, shown), ajv.errorsText())
  }
  const bodies = await house.db.query<{ body: string }>(sql`
    select body from deliveries where kind = 'ipn' and event like 'dispute.%'`)
  assert.ok(bodies.length > 3)
  for (const { body } of bodies) assert.ok(ajv.validate(eventSchema, JSON.parse(body)), ajv.errorsText())
})

test('disputes are listed newest first, page by page, for their own merchant and mode', async () => {
  type Page = { data: Dispute[]; links: { next: string | null }; meta: { next_cursor: string | null } }
  const list = async (query: string, key = house.secretKey): Promise<Page> =>
    (await call(`${house.url}/api/disputes${query}`, { key })).json as unknown as Page
  const all = await list('')
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.meta.next_cursor
  }
  assert.ok(seen.length >= 6)
  assert.deepEqual(
    seen,
    all.data.map(({ id }) => id),
  )
  const lost = await list('?status=lost')
  assert.ok(lost.data.length > 0 && lost.data.every(({ status }) => status === 'lost'))
  const [first] = all.data
  const ofOne = await list(`?tx_ref=${first?.tx_ref}`)
  assert.deepEqual(
    ofOne.data.map(({ id }) => id),
    [first?.id],
  )
  assert.deepEqual((await list('', house.liveKey)).data, [])
  for (const query of ['?status=open', '?limit=0', '?cursor=x', '?page=2']) {
    const { status, json } = await call(`${house.url}/api/disputes${query}`, { key: house.secretKey })
    assert.deepEqual([status, json.code], [400, 'validation_failed'], query)
  }
  assert.equal((await call(`${house.url}/api/disputes`)).status, 401)
})

test('a dispute is found by its id, only by its own merchant and in its own mode', async () => {
  const find = async (id: string, key = house.secretKey) => call(`${house.url}/api/disputes/${id}`, { key })
  const listed = (await call(`${house.url}/api/disputes`, { key: house.secretKey })).json.data as Dispute[]
  const [first] = listed
  assert.ok(first)
  const found = await find(first.id)
  assert.equal(found.status, 200)
  assert.deepEqual(found.json.data, first)
  const stranger = await createMerchant(house.db, { name: 'Another shop' })
  const { key } = await createKey(house.db, stranger, { kind: 'secret', mode: 'test', name: 'test' })
  for (const missing of [
    await find(first.id, house.liveKey),
    await find(first.id, key),
    await find('dsp_none'),
    await find(`dsp_${'x'.repeat(300)}`),
  ])
    assert.deepEqual([missing.status, missing.json.message], [404, 'Dispute not found'])
  assert.equal((await find('%20')).status, 400)
})
