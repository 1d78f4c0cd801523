import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { bodyOf, itemsOf, memberOf } from './client.ts'

for (const body of [undefined, {}, { payments: null }, { payments: 'PM1' }])
  test(`an answer of ${JSON.stringify(body)} holds no payment, so it is no answer`, () => {
    assert.throws(() => memberOf(body, 'payments'), NoAnswer)
    assert.throws(() => itemsOf(body, 'payments'), NoAnswer)
  })

test('a payment and a list of payments are read from the member of their name', () => {
  const payment = { id: 'PM1' }
  assert.equal(memberOf({ payments: payment }, 'payments'), payment)
  assert.deepEqual(itemsOf({ payments: [payment] }, 'payments'), [payment])
})

test('something that GoCardless doesn’t know is missing; any other refusal is no answer', () => {
  const refused = (status: number) => ({ kind: 'refused', status, reason: 'r', why: 'w' }) as const
  assert.equal(bodyOf(refused(404)), undefined)
  for (const status of [400, 401, 403, 422]) assert.throws(() => bodyOf(refused(status)), NoAnswer)
  assert.throws(() => bodyOf({ kind: 'made_before', id: 'PM1' }), NoAnswer)
})
