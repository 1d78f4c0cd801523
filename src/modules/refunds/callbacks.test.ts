import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callbackEvent } from '../../../test/support/callback-event.ts'
import { openRefundDesk, type RefundDesk } from '../../../test/support/refund-desk.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { nobody } from '../../core/callbacks/event-store.ts'
import { refundCallbacks } from './callbacks.ts'

let till: Till
let desk: RefundDesk
before(async () => {
  till = await openTill()
  desk = openRefundDesk(till)
})
after(() => till.close())

test('an event about a refund is done once the network has answered, by our key or its own id', async () => {
  desk.says = { kind: 'submitted', refundReference: 're_1' }
  const refund = await desk.request(await desk.paid(), 100n)
  const { refund: ask } = refundCallbacks(desk.refunding)
  const told = callbackEvent({ merchant_id: till.merchantId, about: 'refund' })
  for (const named of [{ idempotency_key: refund.id }, { reference: 're_1' }]) {
    desk.says = undefined
    assert.equal(await ask({ ...told, ...named }), 'no_answer')
    desk.says = { kind: 'submitted', refundReference: 're_1' }
    assert.equal(await ask({ ...told, ...named }), 'done')
  }
  assert.equal(await ask({ ...told, reference: 're_of_another' }), 'unknown')
  assert.equal(await ask(told), 'unknown')
  assert.equal(await ask({ ...told, merchant_id: nobody, idempotency_key: refund.id }), 'unknown')
})
