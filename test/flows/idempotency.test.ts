import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

async function create(body: unknown, key: string, secretKey = house.secretKey): ReturnType<typeof post> {
  return post(`${house.url}/api/payment`, body, secretKey, { 'idempotency-key': key })
}

test('the same key and body return the first answer byte for byte, even after a restart', async () => {
  const body = paymentRequest()
  const first = await create(body, 'replay')
  const second = await create(body, 'replay')
  assert.equal(first.status, 201)
  assert.equal(second.status, 201)
  assert.equal(second.text, first.text)

  const restarted = await openHouse({ databaseUrl: house.databaseUrl })
  try {
    const third = await post(`${restarted.url}/api/payment`, body, house.secretKey, {
      'idempotency-key': 'replay',
    })
    assert.equal(third.text, first.text)
  } finally {
    await restarted.close()
  }
})

test('the same key with another body is 409', async () => {
  await create(paymentRequest(), 'conflict')
  const answer = await create(paymentRequest(), 'conflict')
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.json, {
    status: 'failed',
    message: 'Idempotency-Key was used before with another body: send a new key',
    data: null,
    code: 'idempotency_conflict',
  })
})

test('keys of the two modes are separate', async () => {
  const body = paymentRequest()
  assert.equal((await create(body, 'modes')).status, 201)
  const live = await create(body, 'modes', house.liveKey)
  assert.equal(live.status, 201)
  assert.notEqual(live.text, (await create(body, 'modes')).text)
})

test('a refused create doesn’t use up its key', async () => {
  const body = paymentRequest({ amount: '0' })
  assert.equal((await create(body, 'mended')).status, 400)
  assert.equal((await create({ ...body, amount: '5' }, 'mended')).status, 201)
})

test('after 24 hours the key is free again', async () => {
  await create(paymentRequest(), 'yesterday')
  await house.db.query(sql`
    update payments set created_at = ${new Date(Date.now() - 24 * 3_600_000 - 1_000)}
    where idempotency_key = 'yesterday'`)
  const today = paymentRequest()
  const answer = await create(today, 'yesterday')
  assert.equal(answer.status, 201)
  assert.equal((await create(today, 'yesterday')).text, answer.text)
})

test('a key must be 1 to 255 characters', async () => {
  const rule = 'Idempotency-Key must be 1 to 255 characters'
  for (const key of ['', 'k'.repeat(256)]) {
    const answer = await create(paymentRequest(), key)
    assert.equal(answer.status, 400)
    assert.deepEqual([answer.json.message, answer.json.errors], [rule, { 'Idempotency-Key': [rule] }])
  }
})
