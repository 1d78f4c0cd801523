import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cornerShop } from '../../../test/support/corner-shop.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { DatabaseUnavailable } from '../../platform/errors/database-unavailable.ts'
import type { Mode } from '../merchants/mode.ts'
import { createProject } from '../projects/create-project.ts'
import {
  makeCreatePayment,
  referenceShape,
  type CreatePayment,
  type Origin,
  type Payee,
} from './create-payment.ts'

let till: Till
let create: CreatePayment
before(async () => {
  till = await openTill()
  create = makeCreatePayment(till.db, baseUrl)
})
after(() => till.close())

const baseUrl = 'http://127.0.0.1'

const caller = (mode: Mode = 'test'): Payee => ({
  merchant: cornerShop({ id: till.merchantId, liveEnabled: true, payWithinMinutes: 90 }),
  mode,
})

const request = {
  txRef: 'order-1',
  amountMinor: 10_000n,
  currency: 'GBP',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  callbackUrl: 'https://shop.example/ipn',
  returnUrl: 'https://shop.example/thanks',
  title: 'Hamlet',
  description: 'Two seats',
  logo: 'https://shop.example/logo.png',
  metaText: '{"seat":"4"}',
  itemsText: '[{"name":"Seat"}]',
  invoiceNumber: '2026-1',
  project: null as string | null,
  expiresInSeconds: null as number | null,
  saving: null,
}

const byApi: Origin = { type: 'API' }
const withKey = (idempotencyKey: string, bodyText = 'body'): Origin => ({
  type: 'API',
  idempotencyKey,
  bodyText,
})

async function rowsOf(txRef: string): Promise<Row[]> {
  return till.db.query(sql`
    select * from payments where merchant_id = ${till.merchantId} and tx_ref = ${txRef} order by created_at`)
}

/** The numbers of the payments with a tx_ref, as links name them. */
async function linksOf(txRef: string): Promise<string[]> {
  const rows = await rowsOf(txRef)
  return rows.map((row) => `${baseUrl}/payment/${till.merchantId}${String(row['number'])}`)
}

test('a payment is stored as requested, with its fee, its deadline and a readable reference', async () => {
  for (const [origin, mode] of [
    [byApi, 'test'],
    [{ type: 'Form' }, 'live'],
  ] as const) {
    const txRef = `stored-${mode}`
    const link = await create(caller(mode), { ...request, txRef }, origin)
    assert.deepEqual(
      [link],
      (await linksOf(txRef)).map((url) => ({ url, isRepeat: false })),
    )
    const [row] = await rowsOf(txRef)
    assert.ok(row)
    assert.match(String(row['reference']), referenceShape)
    assert.match(String(row['number']), /^\d{24}$/)
    const livesMs = Date.parse(String(row['expires_at'])) - Date.parse(String(row['created_at']))
    assert.equal(livesMs, 90 * 60_000)
    assert.partialDeepStrictEqual(row, {
      merchant_id: till.merchantId,
      mode,
      type: origin.type,
      state: 'pending',
      currency: 'GBP',
      amount_minor: 10_000n,
      charge_minor: 160n,
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      callback_url: 'https://shop.example/ipn',
      return_url: 'https://shop.example/thanks',
      title: 'Hamlet',
      description: 'Two seats',
      invoice_number: '2026-1',
      project_id: null,
    })
  }
})

test('a tx_ref can be used once per mode', async () => {
  const again = { ...request, txRef: 'taken' }
  await create(caller(), again, byApi)
  await create(caller('live'), again, byApi)
  for (const origin of [byApi, withKey('key-taken')])
    await assert.rejects(create(caller(), again, origin), { code: 'tx_ref_taken' })
  assert.equal((await rowsOf('taken')).length, 2)
  await till.db.query(sql`
    update payments set state = 'cancelled' where merchant_id = ${till.merchantId} and tx_ref = 'taken'`)
  await assert.rejects(create(caller(), again, byApi), { existing: { status: 'cancelled' } })
})

test('the same key and body return the first answer for a day, and another body is refused', async () => {
  const first = await create(caller(), { ...request, txRef: 'key-1' }, withKey('key'))
  const again = async (origin: Origin, txRef = 'key-1', mode: Mode = 'test') =>
    create(caller(mode), { ...request, txRef }, origin)
  assert.equal(first.isRepeat, false)
  assert.deepEqual(await again(withKey('key')), { ...first, isRepeat: true })
  assert.deepEqual(await again(withKey('key'), 'key-2'), { ...first, isRepeat: true })
  await assert.rejects(again(withKey('key', 'another body')), { code: 'idempotency_conflict' })
  assert.equal((await again(withKey('key'), 'key-live', 'live')).isRepeat, false)
  await till.db.query(sql`
    update payments set created_at = now() - interval '25 hours'
    where merchant_id = ${till.merchantId} and tx_ref = 'key-1'`)
  await assert.rejects(again(withKey('key', 'another body')), { code: 'tx_ref_taken' })
  const later = await again(withKey('key', 'another body'), 'key-3')
  assert.deepEqual(
    [later],
    (await linksOf('key-3')).map((url) => ({ url, isRepeat: false })),
  )
})

test('a project must be the merchant’s, and a deleted one doesn’t block repeating an earlier answer', async () => {
  const { id } = await createProject(till.db, till.merchantId, { project: 'Theatre' })
  const asked = { ...request, txRef: 'project-1', project: id }
  const first = await create(caller(), asked, withKey('project'))
  assert.equal((await rowsOf('project-1'))[0]?.['project_id'], id)
  const gone = { ...asked, project: 'prj_gone' }
  const refused = { message: 'project must be one of your projects' }
  assert.deepEqual(await create(caller(), gone, withKey('project')), { ...first, isRepeat: true })
  await assert.rejects(create(caller(), gone, withKey('project', 'another body')), {
    code: 'idempotency_conflict',
  })
  for (const origin of [byApi, withKey('unheard')])
    await assert.rejects(create(caller(), { ...gone, txRef: 'project-2' }, origin), refused)
  await till.db.query(sql`
    update payments set created_at = now() - interval '25 hours'
    where merchant_id = ${till.merchantId} and tx_ref = 'project-1'`)
  await assert.rejects(create(caller(), gone, withKey('project')), refused)
})

/** What becomes of each insert: its answer is lost after it was done, or it was not done. */
class FailingDatabase extends Database {
  readonly ends: ('lost' | 'done' | 'away')[] = []
  lookUpsFail = false
  asked = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    if (!statement.text.includes('insert')) {
      if (this.lookUpsFail) throw new DatabaseUnavailable(false)
      return super.query<R>(statement)
    }
    this.asked += 1
    const end = this.ends.shift()
    if (end === 'away') throw new DatabaseUnavailable(false)
    const rows = await super.query<R>(statement)
    if (end === 'lost') throw new DatabaseUnavailable(true)
    return rows
  }
}

test('a create with a lost answer is retried once, and never claims that nothing was done', async (t) => {
  const db = new FailingDatabase(till.db.url)
  t.after(() => db.close())
  const failing = makeCreatePayment(db, baseUrl)
  for (const [ends, outcome, asked, stored, lookUpsFail] of [
    [['lost'], 'created', 2, 1, false],
    [['lost', 'lost'], 'unknown', 2, 1, false],
    [['lost', 'away'], 'unknown', 2, 1, false],
    [['lost', 'done'], 'unknown', 2, 1, true],
    [['away'], 'not done', 1, 0, false],
  ] as const) {
    const txRef = `lost-${ends.join('-')}`
    db.ends.splice(0, db.ends.length, ...ends)
    db.lookUpsFail = lookUpsFail
    db.asked = 0
    const told = await failing(caller(), { ...request, txRef }, byApi).then(
      ({ isRepeat }) => (isRepeat ? 'repeated' : 'created'),
      (error: unknown) => {
        assert.ok(error instanceof DatabaseUnavailable)
        return error.outcomeUnknown ? 'unknown' : 'not done'
      },
    )
    assert.deepEqual([told, db.asked, (await rowsOf(txRef)).length], [outcome, asked, stored], txRef)
  }
})

test('a payment the database refuses fails alone, even in a batch', async () => {
  const results = await Promise.allSettled(
    ['alone-1', 'alone\0', 'alone-2'].map(async (txRef) => create(caller(), { ...request, txRef }, byApi)),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})
