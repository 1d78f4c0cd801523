import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callbackEvent } from '../../../test/support/callback-event.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { orderCallbacks, resultOf } from './ask-about.ts'
import { nobody } from './event-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('an event about an order without an id, or of no merchant, is unknown', async () => {
  const { order } = orderCallbacks(till.paying)
  const told = callbackEvent({ merchant_id: till.merchantId, about: 'order' })
  assert.equal(await order(told), 'unknown')
  assert.equal(await order({ ...told, merchant_id: nobody, reference: 'cs_1' }), 'unknown')
})

test('no answer never counts as done, or nobody would ask again', () => {
  const results = ['asked', 'no_answer', 'not_found', 'not_ours'].map((asked) => resultOf(asked))
  assert.deepEqual(results, ['done', 'no_answer', 'unknown', 'unknown'])
})
