import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callbackEvent } from '../../../test/support/callback-event.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { nobody } from '../../core/callbacks/event-store.ts'
import type { NetworkMethod } from '../../core/networks/hosted.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { methodCallbacks } from './callbacks.ts'
import { findEnded, insertMethod } from './store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

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
  const { method: ask } = methodCallbacks(till.withBank(bank))
  const told = callbackEvent({
    merchant_id: till.merchantId,
    about: 'method',
    connector: 'test-bank',
    account_id: account,
    reference: 'MD1',
  })
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
