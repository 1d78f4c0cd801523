import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import { listen, type Listener } from '../../platform/database/listen.ts'
import { listenPatiently } from '../../../test/support/listen-patiently.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { makeAuthenticator, type Authenticator } from './authenticate.ts'
import { createKey, revokeKey, rollKey } from './change-keys.ts'
import { changeMerchant, createMerchant } from './create-merchant.ts'
import { makeKey } from './key-format.ts'
import { listKeys } from './list.ts'
import { makeMemory } from './memory.ts'

class CountingDatabase extends Database {
  queries = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.queries += 1
    return super.query<R>(statement)
  }
}

const hourMs = 3_600_000
let home: TestDatabase
let db: CountingDatabase
let listener: Listener
let merchantId: number

before(async () => {
  home = await createTestDatabase()
  db = new CountingDatabase(home.url)
  listener = listenPatiently(home.url)
  await waitUntil('it listens', () => listener.connected)
  merchantId = await createMerchant(db, { name: 'Corner shop', liveEnabled: true, currencies: ['JPY'] })
})

after(async () => {
  await listener.close()
  await db.close()
  await home.drop()
})

test('a key gives its merchant, mode and kind', async () => {
  const secret = await createKey(db, merchantId, { kind: 'secret', mode: 'live', name: 'till' })
  const found = await open().secretKey(`Bearer ${secret.key}`)
  assert.equal(found.merchant.id, merchantId)
  assert.equal(found.merchant.name, 'Corner shop')
  assert.deepEqual(
    [...found.merchant.currencies],
    [
      ['GBP', 20n],
      ['JPY', 0n],
    ],
  )
  assert.equal(found.mode, 'live')
  assert.equal(found.keyId, secret.id)

  const api = await createKey(db, merchantId, { kind: 'api', name: 'projects' })
  assert.equal((await open().apiKey(`bearer  ${api.key} `)).mode, undefined)

  const bounds = { hosts: ['shop.example.com'], currencies: ['GBP'], minMinor: 100n, maxMinor: 500n }
  const form = await createKey(db, merchantId, { kind: 'form', mode: 'test', name: 'button', bounds })
  assert.deepEqual((await open().formKey(form.key)).bounds, {
    ...bounds,
    callbackHosts: bounds.hosts,
    txRefPrefix: undefined,
    showsTitle: false,
  })
  assert.equal((await open().formKey(secret.key)).kind, 'secret')
})

test('a missing key has its own refusal, and all wrong keys share another, without a hint', async () => {
  const revoked = await createKey(db, merchantId, { kind: 'secret', name: 'lost' })
  await revokeKey(db, merchantId, revoked.id)
  const ended = await createKey(db, merchantId, { kind: 'secret', name: 'old' })
  await rollKey(db, merchantId, ended.id, 0)
  const wrong = [
    makeKey('secret', 'test', merchantId),
    makeKey('secret', 'test', 10_000_001),
    revoked.key,
    ended.key,
    'sk_test_nonsense',
    'null',
  ]
  for (const key of wrong) {
    assert.deepEqual(await refusalOf(open().secretKey(`Bearer ${key}`)), refused('Invalid secret key'), key)
  }
  for (const header of [undefined, '', 'Bearer', 'Bearer ']) {
    assert.deepEqual(await refusalOf(open().secretKey(header)), refused('Authorization is required'))
  }
  const secret = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  const rule = 'Authorization must be Bearer followed by your key'
  for (const header of [
    secret.key,
    `Basic ${secret.key}`,
    `Bearer ${secret.key} more`,
    `Bearer${secret.key}`,
  ]) {
    assert.deepEqual(await refusalOf(open().secretKey(header)), refused(rule), header)
  }
})

test('a mistyped key costs no query', async () => {
  const { key } = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  const queries = db.queries
  await refusalOf(open().secretKey(`Bearer ${mistyped}`))
  assert.equal(db.queries, queries)
})

test('a live key of an account not enabled for live is 403', async () => {
  const testOnly = await createMerchant(db, { name: 'New shop' })
  const live = await createKey(db, testOnly, { kind: 'secret', mode: 'live', name: 'early' })
  const refusal = await refusalOf(open().secretKey(`Bearer ${live.key}`))
  assert.equal(refusal.status, 403)
  assert.equal(refusal.code, 'live_not_enabled')
  assert.equal(refusal.message, 'Live payments are not switched on for this account')
})

// What was just changed is heard a moment later, and a busy machine hears late: then the next round counts.
test('a recently used key costs no query for a minute', async () => {
  const { key } = await createKey(db, merchantId, { kind: 'secret', name: 'hot' })
  let time = Date.now()
  const authenticator = open(() => time)
  await waitUntil('a minute costs one look-up', async () => {
    time += 61_000
    const asked = db.queries
    await authenticator.secretKey(`Bearer ${key}`)
    assert.ok(db.queries > asked, 'after a minute it is looked up again')
    const queries = db.queries
    for (let count = 0; count < 1_000; count += 1) await authenticator.secretKey(`Bearer ${key}`)
    time += 59_000
    await authenticator.secretKey(`Bearer ${key}`)
    return db.queries === queries
  })
})

test('concurrent requests with an uncached key share one look-up', async () => {
  const { key } = await createKey(db, merchantId, { kind: 'secret', name: 'busy' })
  const crowd = async (text: string): Promise<{ queries: number; outcomes: string[] }> => {
    const authenticator = open()
    const asked = db.queries
    const all = Array.from({ length: 50 }, () => authenticator.secretKey(`Bearer ${text}`))
    const outcomes = new Set((await Promise.allSettled(all)).map(({ status }) => status))
    return { queries: db.queries - asked, outcomes: [...outcomes] }
  }
  await waitUntil('the key, its merchant, the brand and the currencies are read once', async () => {
    const { queries, outcomes } = await crowd(key)
    assert.deepEqual(outcomes, ['fulfilled'])
    return queries === 4
  })
  // Nothing is remembered of a key that does not exist: the first one asks, and all others after it.
  const unknown = await crowd(makeKey('secret', 'test', merchantId))
  assert.deepEqual(unknown, { queries: 2, outcomes: ['rejected'] })
})

test('a caller that arrives during a look-up that finds nothing shares the next look-up', async () => {
  const memory = makeMemory<string>(listener, Date.now)
  const looks: ((found: string | undefined) => void)[] = []
  const find = async (): Promise<string | undefined> =>
    memory.find(merchantId, 'name', async () => new Promise((resolve) => looks.push(resolve)))
  const first = find()
  const later = Promise.all([find(), find()])
  looks[0]?.(undefined)
  assert.equal(await first, undefined)
  await waitUntil('there is a second look', () => looks.length === 2)
  looks[1]?.('created meanwhile')
  assert.deepEqual(await later, ['created meanwhile', 'created meanwhile'])
  assert.equal(memory.recall('name'), 'created meanwhile')
})

test('a merchant’s change is noticed, and no other merchant is looked up for it', async () => {
  const other = await createMerchant(db, { name: 'Other shop' })
  const { key } = await createKey(db, merchantId, { kind: 'secret', mode: 'live', name: 'till' })
  const theirs = await createKey(db, other, { kind: 'secret', name: 'till' })
  const authenticator = open()
  await authenticator.secretKey(`Bearer ${key}`)
  await authenticator.secretKey(`Bearer ${theirs.key}`)
  await changeMerchant(db, merchantId, { liveEnabled: false })
  await waitUntil('the change is heard', async () => {
    const settled = await Promise.allSettled([authenticator.secretKey(`Bearer ${key}`)])
    return settled[0].status === 'rejected'
  })
  const queries = db.queries
  await authenticator.secretKey(`Bearer ${theirs.key}`)
  assert.equal(db.queries, queries)
  await changeMerchant(db, merchantId, { liveEnabled: true })
})

test('without a listener a key is cached for less than a second', async (t) => {
  const { proxy, deaf } = await openBehindProxy(t)
  await waitUntil('it listens', () => deaf.connected)
  const fresh = await createKey(db, merchantId, { kind: 'secret', name: 'lost' })
  let time = Date.now()
  const authenticator = makeAuthenticator(db, deaf, () => time)
  await authenticator.secretKey(`Bearer ${fresh.key}`)
  proxy.silence()
  await waitUntil('the listener knows that it is deaf', () => !deaf.connected)
  await revokeKey(db, merchantId, fresh.id)
  const queries = db.queries
  time += 999
  await authenticator.secretKey(`Bearer ${fresh.key}`)
  assert.equal(db.queries, queries, 'even then a hot key does not cost a query each time')
  time += 1
  assert.equal((await refusalOf(authenticator.secretKey(`Bearer ${fresh.key}`))).status, 401)
})

test('a clock set back doesn’t make a key live longer', async (t) => {
  const { proxy, deaf } = await openBehindProxy(t)
  const fresh = await createKey(db, merchantId, { kind: 'secret', name: 'lost' })
  let time = Date.now()
  await waitUntil('it listens', () => deaf.connected)
  const authenticator = makeAuthenticator(db, deaf, () => time)
  await authenticator.secretKey(`Bearer ${fresh.key}`)
  proxy.silence()
  await waitUntil('the listener knows that it is deaf', () => !deaf.connected)
  await revokeKey(db, merchantId, fresh.id)
  time -= hourMs
  assert.equal((await refusalOf(authenticator.secretKey(`Bearer ${fresh.key}`))).status, 401)
})

test('a rolled key works for its overlap and no longer, cached or not', async () => {
  const old = await createKey(db, merchantId, { kind: 'secret', mode: 'live', name: 'till' })
  const fresh = await rollKey(db, merchantId, old.id, 1)
  let time = Date.now()
  const authenticator = open(() => time)
  await authenticator.secretKey(`Bearer ${old.key}`)
  const renewed = await authenticator.secretKey(`Bearer ${fresh.key}`)
  assert.equal(renewed.mode, 'live')
  time += hourMs - 30_000
  await authenticator.secretKey(`Bearer ${old.key}`)
  time += 31_000
  assert.equal((await refusalOf(authenticator.secretKey(`Bearer ${old.key}`))).status, 401)
  await authenticator.secretKey(`Bearer ${fresh.key}`)
})

test('a key’s last use is recorded now and then, not at every use', async () => {
  const fresh = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  const lastUse = async (): Promise<string | null | undefined> =>
    (await listKeys(db, merchantId)).find((key) => key.id === fresh.id)?.last_used_at
  const authenticator = open()
  await authenticator.secretKey(`Bearer ${fresh.key}`)
  assert.equal(await lastUse(), null)
  await authenticator.flush()
  assert.match((await lastUse()) ?? '', /^\d{4}-\d\d-\d\dT/)
  const queries = db.queries
  await authenticator.flush()
  assert.equal(db.queries, queries, 'with nothing to write nothing is written')
})

test('the database stores only the hash of a key', async () => {
  const { key } = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  const secretPart = key.slice('sk_test_'.length)
  const rows = await db.query<{ text: string }>(sql`select row_to_json(keys)::text as text from keys`)
  const all = rows.map((row) => row.text).join('\n')
  assert.ok(rows.length > 0)
  assert.equal(all.includes(key), false)
  assert.equal(all.includes(secretPart), false)
  assert.equal(all.includes(Buffer.from(key).toString('hex')), false)
})

function open(now?: () => number): Authenticator {
  return makeAuthenticator(db, listener, now)
}

function refused(message: string): Pick<Refusal, 'status' | 'code' | 'message' | 'headers'> {
  return { status: 401, code: 'unauthorized', message, headers: { 'www-authenticate': 'Bearer' } }
}

async function refusalOf(asked: Promise<unknown>): Promise<ReturnType<typeof refused>> {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, code: error.code, message: error.message, headers: error.headers }
  }
  throw new Error('It was not refused')
}

async function openBehindProxy(t: TestContext): Promise<{ proxy: TcpProxy; deaf: Listener }> {
  const proxy = await openTcpProxy(home.url)
  const deaf = listen(proxy.url)
  t.after(async () => deaf.close().then(() => proxy.close()))
  return { proxy, deaf }
}
