import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { Database, inTransaction } from '../database/database.ts'
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

async function write(kind: 'ipn' | 'mail', changes: Partial<NewDelivery> = {}): Promise<Queue> {
  const origin = kind === 'mail' ? 'mail' : 'https://shop.example'
  const one: NewDelivery = {
    merchant_id: merchantId,
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
  await inTransaction(db, async (tx) => insertDeliveries(tx, merchantId, [one]))
  return { merchantId, mode: one.mode, origin: one.origin }
}

// How long a try may be under way: it begins at most 10 s after its claim, and then has its own time-out.
const underWayMs = { ipn: 10_000 + 15_000, mail: 10_000 + mailTimeoutMs }

for (const kind of ['ipn', 'mail'] as const) {
  test(`nobody else takes ${kind === 'ipn' ? 'an IPN' : 'a mail'} while it may still be under way, and after its lease one does`, async () => {
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

test('a mail is leased for long enough to be noted although the database was away for minutes', async () => {
  const queue = await write('mail', { origin: 'mail again' })
  const began = new Date()
  const minutesLater = new Date(began.getTime() + mailTimeoutMs + 3 * 60_000)
  const asked = [{ ...queue, room: 5 }]
  assert.equal((await claim(db, merchantId, asked, began)).length, 1)
  assert.equal((await claim(db, merchantId, asked, minutesLater)).length, 0)
})
