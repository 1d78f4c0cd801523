import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { scriptListener } from '../../../test/support/scripted-listener.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { bySystem } from '../audit/audit.ts'
import {
  lookUpKey,
  makeAuthenticator,
  makeFindMerchant,
  readMerchant,
  type Authenticator,
} from './authenticate.ts'
import { plainBrand } from './brand/brand.ts'
import { createKey, revokeKey, rollKey, type FreshKey, type KeyRequest } from './change-keys.ts'
import { changeMerchant, createMerchant } from './create-merchant.ts'
import { makeKey } from './key-format.ts'
import { listKeys } from './list.ts'
import { suspendMerchant } from './operator/suspend-merchant.ts'
import { RefusedKey, WrongKey } from './wrong-keys.ts'

// What a key stands for, whole, and what is known of whoever is turned away.

/** Refuses whatever changes the use of keys of some merchants. */
class TiredDatabase extends Database {
  readonly tiredOf = new Set<unknown>()
  asked = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.asked += 1
    if (statement.text.includes('last_used_at = now()') && this.tiredOf.has(statement.values[0]))
      throw new Error(`tired of ${String(statement.values[0])}`)
    return super.query<R>(statement)
  }
}

let home: TestDatabase
let db: TiredDatabase
before(async () => {
  home = await createTestDatabase()
  db = new TiredDatabase(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

const newShop = async (): Promise<number> =>
  createMerchant(db, { name: 'Corner shop', email: 'shop@example.com', liveEnabled: true })

const open = (now: () => number = () => 0): Authenticator => makeAuthenticator(db, scriptListener(), now)

const secret = { kind: 'secret', name: 'till' } as const

test('a key gives its merchant’s and its own permissions', async () => {
  const merchantId = await newShop()
  await changeMerchant(db, merchantId, { refundFees: true, payWithinMinutes: 90 })
  const merchant = {
    id: merchantId,
    name: 'Corner shop',
    email: 'shop@example.com',
    liveEnabled: true,
    isSuspended: false,
    feeBasisPoints: 140,
    formsTakeSecretKeys: true,
    refundFees: true,
    payWithinMinutes: 90,
    idleMinutes: 720,
    brand: plainBrand,
    currencies: new Map([['GBP', 20n]]),
    currenciesOff: new Map(),
  }
  const plain = {
    merchant,
    bounds: undefined,
    sealedFormSecret: undefined,
    exposed: false,
    mayRefund: true,
    dialect: 'florin',
  }
  const make = async (request: KeyRequest): Promise<FreshKey> => createKey(db, merchantId, request)
  const api = await make({ kind: 'api', name: 'projects' })
  const careful = await make({ ...secret, mode: 'live', mayRefund: false, dialect: 'family' })
  await db.query(
    sql`update keys set exposed_at = now() where merchant_id = ${merchantId} and id = ${careful.id}`,
  )
  const form = await make({
    kind: 'form',
    name: 'button',
    bounds: { hosts: ['shop.example.com'] },
    signing: testSecrets,
  })

  const keys = open()
  const asApi = { ...plain, keyId: api.id, keyName: 'projects', kind: 'api', mode: undefined } as const
  const asCareful = {
    ...plain,
    keyId: careful.id,
    keyName: 'till',
    kind: 'secret',
    mode: 'live',
    exposed: true,
    mayRefund: false,
    dialect: 'family',
  } as const
  assert.deepEqual(await keys.apiKey(`Bearer ${api.key}`), asApi)
  assert.deepEqual(await keys.secretKey(`Bearer ${careful.key}`), asCareful)
  assert.deepEqual(keys.recallApiKey(`Bearer ${api.key}`), asApi)
  assert.deepEqual(keys.recallSecretKey(`Bearer ${careful.key}`), asCareful)
  assert.equal(open().recallSecretKey(`Bearer ${careful.key}`), undefined, 'another server has to look')
  assert.deepEqual(await keys.formKey(careful.key), asCareful)
  const { sealedFormSecret, ...found } = await keys.formKey(form.key)
  assert.ok(Buffer.isBuffer(sealedFormSecret))
  assert.deepEqual([found.keyId, found.kind, found.mode], [form.id, 'form', 'test'])
  for (const nothing of [undefined, ''])
    await assert.rejects(keys.formKey(nothing), { code: 'unauthorized', message: 'secret_key is required' })
})

test('a refused caller is identified as far as the key allows', async () => {
  const merchantId = await newShop()
  const revoked = await createKey(db, merchantId, secret)
  await revokeKey(db, merchantId, revoked.id)
  const api = await createKey(db, merchantId, { kind: 'api', name: 'projects' })
  const live = await createKey(db, merchantId, { ...secret, mode: 'live' })
  const tried = await createKey(db, merchantId, secret)
  const owner = ({ id }: FreshKey, mode?: 'test' | 'live') => ({
    keyId: id,
    merchantId,
    mode,
    isTurnedAway: true,
  })
  const refusalOf = async (key: string): Promise<RefusedKey> =>
    open()
      .secretKey(`Bearer ${key}`)
      .then(
        () => assert.fail('it was not refused'),
        (error: unknown) => (error instanceof RefusedKey ? error : assert.fail(String(error))),
      )
  const told = async (key: string) => {
    const refusal = await refusalOf(key)
    return [refusal.code, refusal instanceof WrongKey, refusal.owner]
  }
  assert.deepEqual(await told(revoked.key), ['unauthorized', true, owner(revoked, 'test')])
  assert.deepEqual(await told(api.key), ['unauthorized', true, owner(api)])
  assert.deepEqual(await told(makeKey('secret', 'test', merchantId)), ['unauthorized', true, undefined])
  await changeMerchant(db, merchantId, { liveEnabled: false })
  assert.deepEqual(await told(live.key), ['live_not_enabled', false, owner(live, 'live')])
  assert.equal((await open().secretKey(`Bearer ${tried.key}`)).keyId, tried.id)
  await suspendMerchant(db, merchantId, bySystem)
  for (const [key, mode] of [
    [live, 'live'],
    [tried, 'test'],
  ] as const)
    assert.deepEqual(await told(key.key), ['merchant_suspended', false, owner(key, mode)])
  assert.equal((await readMerchant(db, merchantId))?.isSuspended, true)
})

test('the counter of wrong keys, if there is one, decides how a refused key is answered', () => {
  const request = { ip: '192.0.2.7' } as FastifyRequest
  const asked: unknown[] = []
  const wrongKeys = {
    refused(error: unknown, address: string): unknown {
      asked.push(error, address)
      return 'wait'
    },
  }
  const error = new WrongKey('unauthorized', undefined)
  assert.equal(makeAuthenticator(db, scriptListener(), () => 0, wrongKeys).refused(error, request), 'wait')
  assert.deepEqual(asked, [error, '192.0.2.7'])
  assert.equal(open().refused(error, request), error)
})

test('a key works until the moment it expires, for servers and commands alike', async (t) => {
  const merchantId = await newShop()
  const { key, id } = await createKey(db, merchantId, secret)
  assert.equal((await lookUpKey(db, key))?.keyId, id)
  await rollKey(db, merchantId, id, 1)
  const summary = (await listKeys(db, merchantId)).find((one) => one.id === id)
  const endsAtMs = Date.parse(summary?.ends_at ?? '')
  assert.equal((await open(() => endsAtMs - 1).secretKey(`Bearer ${key}`)).keyId, id)
  await assert.rejects(open(() => endsAtMs).secretKey(`Bearer ${key}`), { code: 'unauthorized' })
  t.mock.timers.enable({ apis: ['Date'], now: endsAtMs - 1 })
  assert.equal((await lookUpKey(db, key))?.keyId, id)
  t.mock.timers.tick(1)
  assert.equal(await lookUpKey(db, key), undefined)
  await revokeKey(db, merchantId, id)
  // Revoked is revoked, also for a machine whose clock is far behind.
  await assert.rejects(open(() => -Infinity).secretKey(`Bearer ${key}`), { code: 'unauthorized' })
  for (const text of ['', 'sk_test_nonsense', makeKey('secret', 'test', merchantId)])
    assert.equal(await lookUpKey(db, text), undefined)
})

test('a server reads a merchant once until it changes', async () => {
  const merchantId = await newShop()
  const listener = scriptListener()
  const find = makeFindMerchant(db, listener, () => 0)
  assert.equal((await find(merchantId))?.name, 'Corner shop')
  const { asked } = db
  assert.equal((await find(merchantId))?.name, 'Corner shop')
  assert.equal(db.asked, asked)
  await changeMerchant(db, merchantId, { name: 'Kiosk' })
  listener.say('florin_merchants', String(merchantId))
  assert.equal((await find(merchantId))?.name, 'Kiosk')
  assert.equal(await find(10_000_000), undefined)
})

test('last uses of other keys are recorded when one fails, until three have failed', async () => {
  const use = async (
    shops: number,
    tired: readonly number[],
  ): Promise<[failed: unknown, written: boolean[]]> => {
    const authenticator = open()
    const merchants: number[] = []
    for (let count = 0; count < shops; count += 1) {
      const merchantId = await newShop()
      merchants.push(merchantId)
      await authenticator.secretKey(`Bearer ${(await createKey(db, merchantId, secret)).key}`)
      if (tired.includes(count)) db.tiredOf.add(merchantId)
    }
    const failed = await authenticator.flush().then(
      () => undefined,
      (error: Error) => merchants.findIndex((merchantId) => error.message === `tired of ${merchantId}`),
    )
    const written: boolean[] = []
    for (const merchantId of merchants)
      written.push((await listKeys(db, merchantId))[0]?.last_used_at !== null)
    return [failed, written]
  }
  assert.deepEqual(await use(2, []), [undefined, [true, true]])
  assert.deepEqual(await use(4, [1, 2]), [1, [true, false, false, true]])
  assert.deepEqual(await use(4, [0, 1, 2]), [0, [false, false, false, false]])
})

test('a valid key of the wrong kind is told its kind and the one needed', async () => {
  const merchantId = await newShop()
  const bounds = { hosts: ['shop.example'] }
  const key = async (request: KeyRequest): Promise<string> => (await createKey(db, merchantId, request)).key
  const api = await key({ kind: 'api', name: 'projects' })
  const form = await key({ kind: 'form', mode: 'test', name: 'page', bounds })
  const till = await key({ ...secret, mode: 'test' })
  const keys = open()
  const rows: [() => Promise<unknown>, string][] = [
    [
      () => keys.secretKey(`Bearer ${api}`),
      'Invalid secret key: this is an API key (ak_…), use a secret key (sk_…)',
    ],
    [
      () => keys.secretKey(`Bearer ${form}`),
      'Invalid secret key: this is a form key (fk_…), use a secret key (sk_…)',
    ],
    [
      () => keys.apiKey(`Bearer ${till}`),
      'Invalid API key: this is a secret key (sk_…), use an API key (ak_…)',
    ],
    [
      () => keys.formKey(api),
      'Invalid secret key: this is an API key (ak_…), use a secret key (sk_…) or a form key (fk_…)',
    ],
  ]
  for (const [asked, message] of rows) await assert.rejects(asked(), { code: 'unauthorized', message })
})

test('secret keys and API keys can both ask whose they are', async () => {
  const merchantId = await newShop()
  const keys = open()
  const till = await createKey(db, merchantId, { ...secret, mode: 'live' })
  const projects = await createKey(db, merchantId, { kind: 'api', name: 'projects' })
  for (const { key, id } of [till, projects]) assert.equal((await keys.anyKey(`Bearer ${key}`)).keyId, id)
  await assert.rejects(keys.anyKey(undefined), { message: 'Authorization is required' })
})
