import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openRefundDesk, type RefundDesk } from '../../test/support/refund-desk.ts'
import { openTill, type Till } from '../../test/support/till.ts'
import { makeHandlers } from './ask-about.ts'
import { nobody, type EventRow } from './event-store.ts'

// What is made of an event: no answer must never count as done, or nobody would ask again.

let till: Till
let desk: RefundDesk
before(async () => {
  till = await openTill()
  desk = openRefundDesk(till)
})
after(() => till.close())

function event(changes: Partial<EventRow> = {}): EventRow {
  return {
    merchant_id: till.merchantId,
    account_id: 'acc_1',
    connector: 'fake',
    event_id: 'evt_1',
    about: 'refund',
    number: null,
    idempotency_key: null,
    reference: null,
    tries: 1,
    received_at: till.paying.now().toISOString(),
    ...changes,
  }
}

test('an event about a refund is done once the network has answered, by our key or its own id', async () => {
  desk.says = { kind: 'submitted', refundReference: 're_1' }
  const refund = await desk.request(await desk.paid(), 100n)
  const { refund: ask } = makeHandlers(till.paying, desk.refunding)
  for (const named of [{ idempotency_key: refund.id }, { reference: 're_1' }]) {
    desk.says = undefined
    assert.equal(await ask(event(named)), 'no_answer')
    desk.says = { kind: 'submitted', refundReference: 're_1' }
    assert.equal(await ask(event(named)), 'done')
  }
  assert.equal(await ask(event({ reference: 're_of_another' })), 'unknown')
  assert.equal(await ask(event()), 'unknown')
  assert.equal(await ask(event({ merchant_id: nobody, idempotency_key: refund.id })), 'unknown')
})

test('an event about an order or dispute without an id is unknown', async () => {
  const { order, dispute } = makeHandlers(till.paying, desk.refunding)
  assert.equal(await order(event({ about: 'order' })), 'unknown')
  assert.equal(await order(event({ merchant_id: nobody, reference: 'cs_1' })), 'unknown')
  assert.equal(await dispute(event({ about: 'dispute' })), 'unknown')
})
