import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { customerToErase } from '../../../test/support/customer-to-erase.ts'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { personalRefunds } from './data.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
after(() => merchants.close())

const [number, another] = [paymentNumber(1), paymentNumber(2)]
const row = (id: string, of: string, place: number, texts: object) => ({
  id: `rfd_${id.padEnd(16, '0')}`,
  number: of,
  place,
  mode: 'live',
  refund_ref: id,
  tx_ref: 'order',
  reference: 'REF',
  currency: 'GBP',
  amount_minor: 100,
  asked_all: false,
  returns_fee: false,
  ...texts,
})
const rows = [
  row('named', number, 1, { reason: 'Ada Lovelace sent it back', failure: 'no account of ada@example.com' }),
  row('plain', number, 2, {}),
  row('long', number, 3, { reason: `Ada ${'x'.repeat(251)}` }),
  row('else', another, 1, { reason: 'Ada Lovelace' }),
]

test('a customer’s name is erased from refund reasons and failures, and amounts stay', async () => {
  const { db, own, other } = merchants
  for (const merchant_id of [own, other]) {
    const payments = [number, another].map((one) => paymentRow({ merchant_id, number: one }))
    await insertRows(db, 'payments', payments)
    for (const one of rows) await insertRows(db, 'refunds', [{ ...one, merchant_id }])
  }
  const untouched = await storedRows(db, 'refunds', other)
  const customer = customerToErase({ merchantId: own, numbers: [number] })
  assert.equal(await inTransaction(db, async (tx) => personalRefunds.erase(tx, customer)), 2)
  assert.deepEqual(await storedRows(db, 'refunds', other), untouched)
  const found = (await personalRefunds.read(db, { ...customer, numbers: [number, another] })) as {
    readonly refund_ref: string
    readonly reason: string | null
    readonly failure: string | null
    readonly amount_minor: number
  }[]
  const by = Object.fromEntries(found.map((one) => [one.refund_ref, one]))
  assert.equal(found.length, 4)
  assert.doesNotMatch(JSON.stringify([by['named'], by['long']]), /ada|lovelace/i)
  assert.match(by['named']?.reason ?? '', /sent it back$/)
  assert.match(by['named']?.failure ?? '', /^no account of /)
  assert.equal(by['long']?.reason?.length, 255)
  assert.deepEqual([by['plain']?.reason, by['plain']?.failure], [null, null])
  assert.equal(by['else']?.reason, 'Ada Lovelace')
  assert.ok(found.every(({ amount_minor }) => amount_minor === 100))
})
