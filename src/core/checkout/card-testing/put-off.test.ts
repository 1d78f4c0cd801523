import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify, { type LightMyRequestResponse } from 'fastify'
import { makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import { pauseMs } from '../../payments/card-testing/proof.ts'
import { isPutOff, putOff, type PutOff } from './put-off.ts'
import type { WhoAsks } from './who-asks.ts'

const nowMs = Date.parse('2026-11-15T14:06:00Z')
const proof = { token: 'new-page', bits: 8 }
const needed: PutOff = { kind: 'proof_needed' }

async function answerTo(
  result: PutOff,
  changes: ModelChanges = {},
  pause?: WhoAsks['pause'],
): Promise<LightMyRequestResponse> {
  const server = fastify()
  server.get('/', (_, reply) => putOff(reply, makePageModel({ state: 'pending', ...changes }), result, pause))
  const answer = await server.inject('/')
  await server.close()
  return answer
}

function waitOf(ms: number): PutOff {
  return { kind: 'wait', until: new Date(nowMs + ms) }
}

test('a customer who must wait gets the form again with the wait in whole seconds, rounded up', async () => {
  for (const [ms, seconds] of [
    [30_000, '30'],
    [30_001, '31'],
    [0, '1'],
    [-5_000, '1'],
  ] as const) {
    const { statusCode, headers, body } = await answerTo(waitOf(ms))
    assert.equal(statusCode, 429)
    assert.equal(headers['retry-after'], seconds)
    assert.match(body, /Please wait before you try again/)
  }
})

test('during an attack a missing proof means a short pause, and an early one waits until the page is old enough', async () => {
  const fresh = await answerTo(needed, { page: { proof } })
  assert.equal(fresh.headers['retry-after'], String(pauseMs / 1_000))
  assert.match(fresh.body, /name="proof" value="new-page"/)
  assert.match(fresh.body, /Please try again in a moment/)
  const pause = { token: 'old-page', until: new Date(nowMs + 2_000) }
  const early = await answerTo(needed, { page: { proof } }, pause)
  assert.equal(early.headers['retry-after'], '2')
  assert.match(early.body, /name="proof" value="old-page"/)
  assert.match(early.body, /Please try again in a moment/)
})

test('when the attack is over or the payment has moved on, the customer goes to the payment page', async () => {
  for (const [result, changes] of [
    [needed, {}],
    [waitOf(30_000), { state: 'success' }],
    [needed, { state: 'success', page: { proof } }],
  ] as const) {
    const { statusCode, headers } = await answerTo(result, changes)
    assert.equal(statusCode, 303)
    assert.equal(headers.location, '/payment/1')
  }
})

test('only a postponed attempt is answered as postponed', () => {
  assert.deepEqual([waitOf(1), needed].map(isPutOff), [true, true])
  for (const kind of ['charged', 'refused_card'])
    assert.equal(isPutOff({ kind } as unknown as PutOff), false, kind)
})
