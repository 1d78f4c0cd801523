import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openTcpProxy } from '../../../test/support/tcp-proxy.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import { listen, type Listener } from '../../platform/database/listen.ts'
import { listenPatiently } from '../../../test/support/listen-patiently.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { makeAuthenticator } from './authenticate.ts'
import { createKey, revokeKey, rollKey } from './change-keys.ts'
import { changeMerchant, createMerchant, enableCurrency } from './create-merchant.ts'
import { makeMemory, type Memory } from './memory.ts'

// What changes at the very moment in which it is looked up.

/** Stops before the second statement of a look, which reads the merchant: the key has been read by then. */
class SlowDatabase extends Database {
  readonly keyIsRead = Promise.withResolvers<void>()
  readonly goOn = Promise.withResolvers<void>()
  #statements = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.#statements += 1
    if (this.#statements === 2) {
      this.keyIsRead.resolve()
      await this.goOn.promise
    }
    return super.query<R>(statement)
  }
}

let home: TestDatabase
let db: Database
let listener: Listener
let merchantId: number
let heard = 0

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  listener = listenPatiently(home.url)
  listener.on('florin_merchants', () => (heard += 1))
  await waitUntil('it listens', () => listener.connected)
  merchantId = await createMerchant(db, { name: 'Corner shop' })
})

after(async () => {
  await listener.close()
  await db.close()
  await home.drop()
})

// On a busy machine a listener is deaf for a moment, and then a second counts.
const stillClock = (): number => 0

/** A look that ends when the test says so. */
function lookSlowly(memory: Memory<string>): {
  answer: Promise<string | undefined>
  end(found: string): void
} {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { answer: memory.find(merchantId, 'name', async () => promise), end: resolve }
}

async function change(): Promise<void> {
  const heardBefore = heard
  await changeMerchant(db, merchantId, { formsTakeSecretKeys: true })
  await waitUntil('the change is heard', () => heard > heardBefore)
}

test('a value read before a change but returned after it is not cached', async () => {
  const memory = makeMemory<string>(listener, stillClock)
  const look = lookSlowly(memory)
  await change()
  look.end('as it was before')
  assert.equal(await look.answer, 'as it was before')
  assert.equal(memory.recall('name'), undefined)
})

test('a cached value is dropped at the next change, and kept without one', async () => {
  const memory = makeMemory<string>(listener, stillClock)
  const look = lookSlowly(memory)
  look.end('found')
  await look.answer
  assert.equal(memory.recall('name'), 'found')
  await change()
  assert.equal(memory.recall('name'), undefined)
})

test('every change of a merchant or its keys is sent to all servers', async () => {
  const key = { kind: 'secret', name: 'till' } as const
  const [rolled, revoked] = [await createKey(db, merchantId, key), await createKey(db, merchantId, key)]
  const changes: Record<string, () => Promise<unknown>> = {
    roll: () => rollKey(db, merchantId, rolled.id, 0),
    revoke: () => revokeKey(db, merchantId, revoked.id),
    currency: () => enableCurrency(db, merchantId, 'EUR'),
    settings: () => changeMerchant(db, merchantId, { email: 'shop@example.com' }),
  }
  for (const [name, make] of Object.entries(changes)) {
    const heardBefore = heard
    await make()
    await waitUntil(`${name} is heard`, () => heard > heardBefore)
  }
})

test('ten thousand entries are cached; one more clears the cache', async () => {
  const memory = makeMemory<string>(listener, stillClock)
  const remember = async (count: number): Promise<unknown> =>
    memory.find(merchantId, `name ${count}`, async () => 'found')
  for (let count = 1; count <= 10_000; count += 1) await remember(count)
  assert.deepEqual([memory.recall('name 1'), memory.recall('name 10000')], ['found', 'found'])
  await remember(10_001)
  assert.deepEqual([memory.recall('name 1'), memory.recall('name 10001')], [undefined, 'found'])
})

test('a value read while the listener is reconnecting is not cached: a change may have been missed', async (t) => {
  const proxy = await openTcpProxy(home.url)
  const unsteady = listen(proxy.url)
  t.after(async () => {
    await unsteady.close()
    await proxy.close()
  })
  let connections = 0
  unsteady.onConnect(() => (connections += 1))
  await waitUntil('it listens', () => connections === 1)
  const memory = makeMemory<string>(unsteady, stillClock)
  await memory.find(merchantId, 'another', async () => 'found before')
  const look = lookSlowly(memory)
  proxy.cut()
  await waitUntil('it listens again', () => connections === 2 && unsteady.connected)
  look.end('as it was before')
  await look.answer
  assert.equal(memory.recall('name'), undefined)
  assert.equal(memory.recall('another'), undefined, 'nor is anything that was remembered until then')
})

test('a value is cached for exactly one minute', async () => {
  const foundMs = 1_000_000
  let time = foundMs
  const memory = makeMemory<string>(listener, () => time)
  await memory.find(merchantId, 'name', async () => 'found')
  time = foundMs + 59_999
  await waitUntil('it is remembered while it listens', () => memory.recall('name') === 'found')
  time = foundMs + 60_000
  assert.equal(memory.recall('name'), undefined)
})

test('a key revoked during its look-up is refused the next time', async () => {
  const { key, id } = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  const slow = new SlowDatabase(home.url)
  const authenticator = makeAuthenticator(slow, listener)
  const first = authenticator.secretKey(`Bearer ${key}`)
  await slow.keyIsRead.promise
  const heardBefore = heard
  await revokeKey(db, merchantId, id)
  await waitUntil('the change is heard', () => heard > heardBefore)
  slow.goOn.resolve()
  assert.equal((await first).keyId, id, 'it was good when it was read')
  await assert.rejects(authenticator.secretKey(`Bearer ${key}`), { code: 'unauthorized' })
  await slow.close()
})
