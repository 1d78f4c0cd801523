import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { createKey, revokeKey, rollKey } from '../../../core/merchants/change-keys.ts'
import { changeMerchant, createMerchant } from '../../../core/merchants/create-merchant.ts'
import { suspendMerchant } from '../../../core/merchants/operator/suspend-merchant.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { signedIn } from '../../../../test/support/visitor.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'

// Whoever looks for why calls fail finds those of revoked and ended keys in the log of the merchant whose keys they were.

let house: House
before(async () => {
  // Who sends many wrong keys has to wait, which is not what this is about.
  house = await openHouse({ settings: { MISS_LIMIT_PER_SECOND: '1000' } })
})
after(() => house.close())

type Row = { mode: string; key_id: string; path: string; status: number; code: string | null }

async function rowsOf(merchantId: number): Promise<Row[]> {
  await house.app.flush()
  return house.db.query<Row>(sql`
    select mode, key_id, path, status, answer_body::json->>'code' as code from request_log
    where merchant_id = ${merchantId} order by at, id`)
}

async function shop(name: string): Promise<number> {
  return createMerchant(house.db, { name })
}

const lookUp = async (key: string, path = '/api/transaction/order-1') => call(`${house.url}${path}`, { key })

test('calls with a revoked key, cached or not, are logged with its name and never with the key', async () => {
  const merchantId = await shop('Revoked')
  const made = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'till' })
  assert.equal((await lookUp(made.key)).status, 404)
  await revokeKey(house.db, merchantId, made.id)
  await waitUntil('it is refused', async () => (await lookUp(made.key)).status === 401)
  assert.equal((await lookUp(made.key, `/api/transaction/${made.key}`)).status, 401)
  const rows = await rowsOf(merchantId)
  const refused = rows.filter(({ status }) => status === 401)
  assert.ok(refused.length >= 2)
  for (const row of refused)
    assert.deepEqual([row.mode, row.key_id, row.code], ['test', made.id, 'unauthorized'])
  const texts = await house.db.query(sql`select * from request_log where merchant_id = ${merchantId}`)
  assert.ok(!JSON.stringify(texts).includes(made.key))
  assert.deepEqual(await rowsOf(house.merchantId), [])
})

test('calls with an ended, wrong-kind or not-yet-live key, and forms, are logged too', async () => {
  const merchantId = await shop('Ended')
  const old = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'old' })
  const fresh = await rollKey(house.db, merchantId, old.id, 0, bySystem)
  const api = await createKey(house.db, merchantId, { kind: 'api', name: 'projects' })
  const live = await createKey(house.db, merchantId, { kind: 'secret', mode: 'live', name: 'live' })
  const bounds = { hosts: ['shop.example.com'] }
  const form = await createKey(house.db, merchantId, { kind: 'form', mode: 'test', name: 'form', bounds })
  await revokeKey(house.db, merchantId, form.id)
  await lookUp(old.key)
  await lookUp(fresh.key, '/api/v1/projects')
  await lookUp(api.key)
  await lookUp(live.key)
  const fields = {
    secret_key: form.key,
    tx_ref: 'form-1',
    amount: '5',
    currency: 'GBP',
    email: 'a@b.example',
  }
  await call(`${house.url}/ext_transfer`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  })
  const rows = await rowsOf(merchantId)
  const seen = rows.map(({ key_id, mode, status, code }) => `${key_id} ${mode} ${status} ${code}`)
  assert.deepEqual(
    seen.toSorted(),
    [
      `${old.id} test 401 unauthorized`,
      `${fresh.id} test 401 unauthorized`,
      `${api.id} none 401 unauthorized`,
      `${live.id} live 403 live_not_enabled`,
      `${form.id} test 401 unauthorized`,
    ].toSorted(),
  )
  const texts = JSON.stringify(
    await house.db.query(sql`select * from request_log where merchant_id = ${merchantId}`),
  )
  for (const { key } of [old, fresh, api, live, form]) assert.ok(!texts.includes(key))

  await changeMerchant(house.db, merchantId, { liveEnabled: true })
  await suspendMerchant(house.db, merchantId, bySystem)
  await waitUntil('it is refused', async () => (await lookUp(fresh.key)).status === 403)
  assert.ok((await rowsOf(merchantId)).some(({ code }) => code === 'merchant_suspended'))
})

test('a call with a made-up key is logged for nobody', async () => {
  await house.app.flush()
  const earlier = await house.db.query(sql`select count(*)::integer as count from request_log`)
  for (const key of ['sk_test_', `${house.secretKey}0`, house.secretKey.replace(/.{6}$/, 'AAAAAA')])
    await lookUp(key)
  await house.app.flush()
  assert.deepEqual(await house.db.query(sql`select count(*)::integer as count from request_log`), earlier)
})

test('many calls with a revoked key don’t hide other failures', async () => {
  const merchantId = await shop('Leaked')
  const leaked = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'leaked' })
  const good = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'good' })
  await revokeKey(house.db, merchantId, leaked.id)
  for (let tries = 0; tries < 15; tries += 1)
    await Promise.all(Array.from({ length: 20 }, async () => lookUp(leaked.key)))
  await lookUp(good.key)
  const rows = await rowsOf(merchantId)
  assert.deepEqual(
    rows.filter(({ key_id }) => key_id === good.id).map(({ status }) => status),
    [404],
  )
})

test('the dashboard shows the call, and that its key is revoked', async () => {
  const developer = await signedIn(house, { role: 'developer' })
  const made = await createKey(house.db, house.merchantId, { kind: 'secret', mode: 'test', name: 'Old till' })
  await revokeKey(house.db, house.merchantId, made.id)
  const answer = await lookUp(made.key)
  assert.equal(answer.status, 401)
  await house.app.flush()
  const home = `/dashboard/${house.merchantId}/test/requests`
  const list = (await developer.get(`${home}?outcome=refused&key=${made.id}`)).text
  assert.match(list, /Old till <span class="pill bad">revoked/)
  const one = (await developer.get(`${home}/${answer.headers.get('x-request-id') ?? ''}`)).text
  assert.match(one, /Invalid secret key/)
  assert.match(one, /<span class="pill bad">revoked/)
  assert.ok(!one.includes(made.key))
})
