import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database, inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { drawDeliveryId } from './delivery-id.ts'
import { mailTimeoutMs } from './mail/send-mail.ts'
import type { Queue } from './queues.ts'
import { claim, insertDeliveries, type NewDelivery } from './store.ts'

let home: TestDatabase
let db: Database
let merchantId: number
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  merchantId = await createMerchant(db, { name: 'Corner shop' })
})
after(async () => {
  await db.close()
  await home.drop()
})

async function write(
  kind: 'ipn' | 'mail',
  changes: Partial<NewDelivery> = {},
  owner = merchantId,
): Promise<Queue> {
  const origin = kind === 'mail' ? 'mail' : 'https://shop.example'
  const one: NewDelivery = {
    merchant_id: owner,
    id: drawDeliveryId(kind === 'mail' ? 'msg' : 'evt'),
    kind,
    mode: 'test',
    event: 'payment.success',
    number: null,
    target: kind === 'mail' ? 'ada@example.com' : 'https://shop.example/ipn',
    origin,
    body: '{}',
    state: 'waiting',
    ...changes,
  }
  await inTransaction(db, async (tx) => insertDeliveries(tx, owner, [one]))
  return { merchantId: owner, mode: one.mode, origin: one.origin }
}

// How long a try may be under way: it begins at most 10 s after its claim, and then has its own time-out.
const underWayMs = { ipn: 10_000 + 15_000, mail: 10_000 + mailTimeoutMs }

for (const kind of ['ipn', 'mail'] as const) {
  test(`${kind === 'ipn' ? 'an IPN' : 'a mail'} in flight can’t be claimed until its lease expires`, async () => {
    const queue = await write(kind)
    const began = new Date()
    const claimsAfter = async (ms: number): Promise<number[]> =>
      (await claim(db, merchantId, [{ ...queue, room: 5 }], new Date(began.getTime() + ms))).map(
        ({ tries }) => tries,
      )
    assert.deepEqual(await claimsAfter(0), [1])
    assert.deepEqual(await claimsAfter(underWayMs[kind]), [])
    assert.deepEqual(await claimsAfter(300_000), [2])
  })
}

test('a mail’s lease is long enough to be recorded even after minutes without a database', async () => {
  const queue = await write('mail', { origin: 'mail again' })
  const began = new Date()
  const minutesLater = new Date(began.getTime() + mailTimeoutMs + 3 * 60_000)
  const asked = [{ ...queue, room: 5 }]
  assert.equal((await claim(db, merchantId, asked, began)).length, 1)
  assert.equal((await claim(db, merchantId, asked, minutesLater)).length, 0)
})

test('a claim takes due deliveries of the given queues, up to each one’s slots, for one merchant', async () => {
  const own = await createMerchant(db, { name: 'Another shop' })
  const neighbour = await createMerchant(db, { name: 'Its neighbour' })
  const now = new Date()
  const put = async (owner: number, changes: Partial<NewDelivery>, dueMs = -1_000): Promise<string> => {
    const id = drawDeliveryId('evt')
    await write('ipn', { merchant_id: owner, id, origin: 'https://one.example', ...changes }, owner)
    await db.query(sql`
      update deliveries set next_try_at = ${new Date(now.getTime() + dueMs)}
      where merchant_id = ${owner} and id = ${id} and state = 'waiting'`)
    return id
  }
  const later = await put(own, {}, -1_000)
  const sooner = await put(own, {}, -2_000)
  const justNow = await put(own, { origin: 'https://two.example' }, 0)
  const others = [
    await put(own, {}, 1_000),
    await put(own, { mode: 'live' }),
    await put(own, { origin: 'https://three.example' }),
    await put(neighbour, {}),
  ]
  const paused = await put(own, {})
  await db.query(sql`
    update deliveries set state = 'paused', next_try_at = null where merchant_id = ${own} and id = ${paused}`)
  others.push(paused)
  const queue = { merchantId: own, mode: 'test' } as const
  const ids = async (room: number): Promise<string[]> => {
    const asked = ['https://one.example', 'https://two.example'].map((origin) => ({ ...queue, origin, room }))
    return (await claim(db, own, asked, now)).map(({ id }) => id).toSorted()
  }
  assert.deepEqual(await ids(1), [sooner, justNow].toSorted(), 'who has waited longest goes first')
  assert.deepEqual(await ids(5), [later])
  assert.deepEqual(await ids(5), [])
  const rows = await db.query<{ id: string }>(sql`select id from deliveries where tries = 0`)
  for (const id of others) assert.ok(rows.some((row) => row.id === id))
})

test('a claim carries its merchant’s and mode’s valid secrets, newest first', async () => {
  const own = await createMerchant(db, { name: 'A shop with secrets' })
  const now = new Date()
  const secretOf = (letter: string): string => `whsec_${letter.repeat(43)}=`
  const keep = async (owner: number, mode: string, letter: string, ageMs: number, endsMs?: number) => {
    const endsAt = endsMs === undefined ? null : new Date(now.getTime() + endsMs)
    await db.query(sql`
      insert into webhook_secrets (merchant_id, mode, secret, created_at, ends_at)
      values (${owner}, ${mode}, ${secretOf(letter)}, ${new Date(now.getTime() - ageMs)}, ${endsAt})`)
  }
  await keep(own, 'test', 'a', 1_000)
  await keep(own, 'test', 'b', 2_000, 1_000)
  await keep(own, 'test', 'c', 3_000, -1_000)
  await keep(own, 'live', 'd', 500)
  await keep(merchantId, 'test', 'e', 500)
  const queue = await write('ipn', { merchant_id: own, origin: 'https://secret.example' }, own)
  const [claimed] = await claim(db, own, [{ ...queue, room: 1 }], new Date(now.getTime() + 500))
  assert.deepEqual(claimed?.secrets, [secretOf('a'), secretOf('b')])
})
