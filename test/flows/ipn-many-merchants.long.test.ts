import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { drawDeliveryId } from '../../src/core/notifications/delivery-id.ts'
import {
  findMerchantsWithBacklog,
  findMerchantsWithDueDeliveries,
  findMerchantsWithFarFuture,
  type Look,
} from '../../src/core/notifications/due-look-store.ts'
import { insertDeliveries, listDueQueues, type NewDelivery } from '../../src/core/notifications/store.ts'
import { openHouse, type House } from '../support/house.ts'
import { openReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

// Due work of many merchants: each is found, and none that can't be served stands in the way of the others.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

function delivery(merchantId: number, target: string): NewDelivery {
  return {
    merchant_id: merchantId,
    id: drawDeliveryId('evt'),
    kind: 'ipn',
    mode: 'test',
    event: 'payment.success',
    number: null,
    target,
    origin: new URL(target).origin,
    body: '{}',
    state: 'waiting',
  }
}

async function write(merchantId: number, ...targets: string[]): Promise<void> {
  const rows = targets.map((target) => delivery(merchantId, target))
  await inTransaction(house.db, async (tx) => insertDeliveries(tx, merchantId, rows))
}

async function newMerchants(count: number): Promise<number[]> {
  const ids = []
  for (let one = 0; one < count; one += 1) ids.push(await createMerchant(house.db, { name: `Shop ${one}` }))
  return ids.toSorted((one, other) => one - other)
}

async function countStates(merchants: readonly number[], state: string): Promise<number> {
  const rows = await house.db.query(sql`
    select from deliveries where merchant_id = any(${merchants}) and state = ${state}`)
  return rows.length
}

async function endAll(): Promise<void> {
  await house.db.query(
    sql`update deliveries set state = 'failed', next_try_at = null where state <> 'failed'`,
  )
}

test('a search finds each merchant once, in order, and only matching ones', async () => {
  const [due = 0, later = 0, paused = 0, far = 0, mixed = 0] = await newMerchants(5)
  const one = 'https://one.example/'
  const two = 'https://two.example/'
  for (const merchantId of [due, later, paused, far]) await write(merchantId, one, one, two)
  await write(mixed, one, two)
  const put = async (merchantId: number, hours: number, origin = '%'): Promise<void> => {
    await house.db.query(sql`
      update deliveries set next_try_at = now() + make_interval(hours => ${hours}::integer)
      where merchant_id = ${merchantId} and origin like ${origin}`)
  }
  await put(later, 1)
  await put(far, 49)
  await put(mixed, 1, 'https://one%')
  await house.db.query(sql`
    update deliveries set state = 'paused', next_try_at = null where merchant_id = ${paused}`)

  const now = new Date()
  const all = (...merchants: number[]): Look => ({ merchants, nextCursor: undefined })
  const upTo = (...merchants: number[]): Look => ({ merchants, nextCursor: merchants.at(-1) })
  assert.deepEqual(await findMerchantsWithDueDeliveries(house.db, 0, now), all(due, mixed))
  assert.deepEqual(await findMerchantsWithDueDeliveries(house.db, 0, now, 3), upTo(due))
  assert.deepEqual(await findMerchantsWithDueDeliveries(house.db, 0, now, 4), upTo(due, mixed))
  assert.deepEqual(await findMerchantsWithDueDeliveries(house.db, due, now), all(mixed))
  assert.deepEqual(await findMerchantsWithDueDeliveries(house.db, mixed, now), all())
  assert.deepEqual(await findMerchantsWithFarFuture(house.db, 0), all(far))
  assert.deepEqual(await findMerchantsWithBacklog(house.db, 0), all(due, later, paused, far, mixed))
  assert.deepEqual(await findMerchantsWithBacklog(house.db, later, 2), upTo(paused))
  assert.deepEqual(await findMerchantsWithBacklog(house.db, paused), all(far, mixed))
  assert.deepEqual(await findMerchantsWithBacklog(house.db, mixed), all())

  const queue = { merchantId: due, mode: 'test', origin: 'https://one.example' } as const
  assert.deepEqual(await listDueQueues(house.db, mixed, undefined, now, 10), [
    { merchantId: mixed, mode: 'test', origin: 'https://two.example' },
  ])
  assert.deepEqual(await listDueQueues(house.db, due, queue, now, 10), [
    { ...queue, origin: 'https://two.example' },
  ])
  await endAll()
})

test('more than a thousand merchants, and more than a thousand receivers of one, all get their turn', async (t) => {
  const receiver = await openReceiver((_, response) => void response.end())
  t.after(() => receiver.close())
  const many = 1_020
  await house.db.query(sql`
    insert into merchants (id, name) select 50000000 + n, 'Shop ' || n from generate_series(1, ${many}::integer) as n`)
  const [busy = 0] = await newMerchants(1)
  await house.db.query(sql`
    insert into deliveries (merchant_id, id, kind, mode, event, target, origin, body, state, next_try_at)
    select merchant_id, 'evt_' || merchant_id || '_' || n, 'ipn', 'test', 'payment.success', ${receiver.url}, origin, '{}',
           'waiting', now()
    from (
      select 50000000 + n as merchant_id, n, 'https://shop.example' as origin
      from generate_series(1, ${many}::integer) as n
      union all
      select ${busy}::integer, n, 'https://shop' || n || '.example' from generate_series(1, ${many}::integer) as n
    ) as due`)
  // What is due and locked stays due: whoever began each look anew would meet nothing but these thousand.
  const worker = await inTransaction(house.db, async (tx) => {
    await tx.query(sql`
      select from deliveries where id in (
        select id from deliveries where merchant_id between 50000001 and 50000000 + 1000
        union all
        (select id from deliveries where merchant_id = ${busy} order by origin limit 1000))
      for update`)
    // Not before they are locked: it would deliver some of them first.
    const started = house.app.deliverer.start()
    t.after(() => started.stop())
    await waitUntil('those behind them have their turn', async () => {
      await tx.query(sql`select 'a transaction that is idle for long would be ended'`)
      return receiver.received.length === 2 * (many - 1_000)
    })
    return started
  })
  await receiver.first(2 * many)
  await worker.stop()
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 2 * many)
})

test('while the search over all merchants fails, merchants with recent deliveries are visited', async () => {
  const receiver = await openReceiver((_, response) => void response.end())
  const [merchantId = 0] = await newMerchants(1)
  const worker = house.app.deliverer.start()
  await write(merchantId, receiver.url)
  await house.app.deliverer.look()
  await receiver.first(1)

  const look = house.db.look.bind(house.db)
  house.db.look = async () => {
    throw new Error('a node is away')
  }
  await write(merchantId, receiver.url)
  await house.app.deliverer.look()
  await receiver.first(2)
  house.db.look = look
  assert.match(house.log(), /checking merchants that had some recently/)
  await worker.stop()
  await receiver.close()
})

test('a failed search is logged if no merchant had recent deliveries', async () => {
  const quiet = await openHouse()
  quiet.db.look = async () => {
    throw new Error('a node is away')
  }
  await assert.rejects(quiet.app.deliverer.look(), /a node is away/)
  await quiet.close()
})

test('a merchant that can’t be claimed, or whose results can’t be written, doesn’t hold up others', async () => {
  const receiver = await openReceiver((_, response) => void response.end())
  const [first = 0, second = 0, third = 0] = await newMerchants(3)
  // As when the node of a cluster that has their rows is away.
  await house.db.query(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'This node is away' using errcode = 'connection_failure'; end $$`)
  for (const [merchantId, statement] of [
    [
      first,
      `create trigger away before update on deliveries for each row when (old.merchant_id = ID) execute function refuse()`,
    ],
    [
      second,
      `create trigger away before insert on delivery_attempts for each row when (new.merchant_id = ID) execute function refuse()`,
    ],
  ] as const) {
    await house.db.query({ text: statement.replace('ID', String(merchantId)), values: [], name: undefined })
  }
  for (const merchantId of [first, second, third]) await write(merchantId, receiver.url, receiver.url)
  const worker = house.app.deliverer.start()
  await waitUntil('the third is served', async () => (await countStates([third], 'delivered')) === 2)
  await write(third, receiver.url)
  await house.app.deliverer.look()
  await waitUntil('and again', async () => (await countStates([third], 'delivered')) === 3)
  assert.equal(await countStates([first, second], 'delivered'), 0)
  assert.ok(house.log().includes(`"merchant":${first}`))

  await house.db.query(sql`drop function refuse() cascade`)
  await waitUntil('all are served', async () => (await countStates([first, second], 'delivered')) === 4)
  assert.equal(receiver.received.length, 7, 'what was sent once is not sent again')
  await worker.stop()
  await receiver.close()
})
