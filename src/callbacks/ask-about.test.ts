import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openRefundDesk, type RefundDesk } from '../../test/support/refund-desk.ts'
import { openTill, type Till } from '../../test/support/till.ts'
import type { NetworkMethod } from '../connectors/hosted.ts'
import { inTransaction } from '../database/database.ts'
import { findEnded, insertMethod } from '../saved-methods/store.ts'
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

async function saveMethod(accountId: string): Promise<{ id: string; number: string }> {
  const { merchantId, number } = await till.newPayment()
  const id = `svm_${number.slice(0, 16)}`
  const method = {
    merchant_id: merchantId,
    id,
    mode: 'test',
    customer_ref: 'ada',
    agreement: 'recurring',
    limit_minor: null,
    limit_currency: 'GBP',
    number,
    connector: 'test-bank',
    account_id: accountId,
    kind: 'debit',
    brand: null,
    last4: null,
    expires: null,
    token: Buffer.from('sealed'),
  } as const
  await inTransaction(till.db, async (tx) => insertMethod(tx, method))
  return { id, number }
}

test('a saved method ends only if its own network says so, and a lost answer is asked for again', async () => {
  const account = 'acc_test-bank'
  const own = await saveMethod(account)
  const other = await saveMethod('acc_other')
  let says: NetworkMethod | undefined
  const bank = {
    async fetchMethod(_: unknown, reference: string) {
      if (reference === 'MD_LOST') throw new Error('No answer')
      return says
    },
  }
  const { method: ask } = makeHandlers(till.withBank(bank), desk.refunding)
  const told = event({ about: 'method', connector: 'test-bank', account_id: account, reference: 'MD1' })
  assert.equal(await ask({ ...told, reference: 'MD_LOST' }), 'no_answer')
  assert.equal(await ask({ ...told, merchant_id: nobody }), 'unknown')
  for (const [answer, result] of [
    [undefined, 'unknown'],
    [{ isEnded: true }, 'unknown'],
    [{ isEnded: true, paymentNumber: other.number }, 'unknown'],
    [{ isEnded: false, paymentNumber: own.number }, 'done'],
  ] as const) {
    says = answer
    assert.equal(await ask(told), result)
  }
  const ended = () => findEnded(till.db, till.merchantId, [own.id, other.id])
  assert.deepEqual(await ended(), new Set())
  says = { isEnded: true, paymentNumber: own.number }
  assert.deepEqual([await ask(told), await ask(told)], ['done', 'done'])
  assert.deepEqual(await ended(), new Set([own.id]))
})
