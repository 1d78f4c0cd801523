import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customerToErase } from '../../../test/support/customer-to-erase.ts'
import { openTwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { requestLogData } from './data.ts'
import { insertRequests, type NewRequest } from './request-store.ts'

const line = (id: string, path: string): NewRequest => ({
  mode: 'test',
  at: new Date().toISOString(),
  id,
  request_id: 'req_1',
  key_id: 'key_1',
  method: 'GET',
  path,
  status: 200,
  duration_us: 1,
  request_body: null,
  answer_body: null,
  warnings: null,
})

test('lines about a customer’s payments or with their address are read and erased, and no others', async (t) => {
  const merchants = await openTwoMerchants()
  t.after(() => merchants.close())
  const { db, own, other } = merchants
  const [requests = assert.fail()] = requestLogData.personal ?? []
  for (const merchantId of [own, other])
    await insertRequests(db, merchantId, [
      line('log_1', '/api/transaction/order-1'),
      line('log_2', '/api/transactions?email=ADA%40example.com'),
      line('log_3', '/api/transaction/order-3'),
    ])
  const whole = customerToErase({ merchantId: own, numbers: [], txRefs: ['order-1'] })
  const onlyPayments = { ...whole, isWholePerson: false }
  const idsOf = async (customer = whole) =>
    ((await requests.read(db, customer)) as { id: string }[]).map(({ id }) => id)
  const erase = async (customer = whole) => inTransaction(db, async (tx) => requests.erase(tx, customer))

  assert.deepEqual(await idsOf({ ...onlyPayments, txRefs: [] }), [])
  assert.equal(await erase({ ...onlyPayments, txRefs: [] }), 0)
  assert.deepEqual([await idsOf(onlyPayments), await idsOf()], [['log_1'], ['log_1', 'log_2']])
  assert.equal(await erase(onlyPayments), 1)
  assert.equal(await erase(), 1)
  assert.deepEqual([await idsOf(), (await idsOf({ ...whole, merchantId: other })).length], [[], 2])
})
