import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { surplusKey } from '../attempts/hosted/return-surplus.ts'
import { findKnownCharges, readAllCharges, readPaidCharges } from './read-charges.ts'

// Two merchants with one account. What each attempt of a payment says about itself is told in full.

let merchants: TwoMerchants
const noon = new Date('2026-11-16T12:00:00.000Z')
const justBefore = new Date(noon.getTime() - 1)
const charged = { charged_minor: 1_000n, charged_currency: 'GBP' }
const attempts = [
  { state: 'succeeded', connector_reference: 'cs_1', charge_reference: 'ch_1', ...charged },
  { state: 'declined' },
  { state: 'surplus', charge_reference: 'ch_3', ...charged },
  { state: 'returned', charge_reference: 'ch_4', refund_reference: 're_4', ...charged },
  { state: 'declined', started_at: justBefore },
  { state: 'succeeded', charge_reference: 'ch_6', account_id: 'acc_other', ...charged },
]

before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const rows = [own, other].flatMap((merchant_id) =>
    attempts.map((attempt, place) => ({
      merchant_id,
      number: paymentNumber(place + 1),
      account_id: 'acc_one',
      started_at: noon,
      updated_at: noon,
      ...attempt,
    })),
  )
  await insertRows(
    db,
    'payments',
    rows.map(({ merchant_id, number }) =>
      paymentRow({ merchant_id, number, tx_ref: `${merchant_id} ${Number(number)}` }),
    ),
  )
  await insertRows(db, 'attempts', rows.map(attemptRow))
})
after(() => merchants.close())

test('every attempt through an account since then is read, for any merchant, with all its ids', async () => {
  const { db, own, other } = merchants
  const told = (merchantId: number) => {
    const of = (place: number) => ({
      merchantId,
      txRef: `${merchantId} ${place}`,
      idempotencyKey: `${paymentNumber(place)}/1`,
      references: [] as string[],
      charged: undefined,
      sentBack: undefined,
      at: noon,
    })
    const money = { amountMinor: 1_000n, currency: 'GBP' }
    const surplus = (place: number): string => surplusKey(`${paymentNumber(place)}/1`)
    return [
      { ...of(1), references: ['ch_1', 'cs_1'], charged: money },
      of(2),
      { ...of(3), references: ['ch_3'], charged: money, sentBack: { isDone: false, names: [surplus(3)] } },
      {
        ...of(4),
        references: ['ch_4'],
        charged: money,
        sentBack: { isDone: true, names: [surplus(4), 're_4'] },
      },
    ]
  }
  const read = await Array.fromAsync(readAllCharges(db, 'acc_one', noon))
  assert.deepEqual(
    read.toSorted((one, next) => (one.txRef < next.txRef ? -1 : 1)),
    [...told(own), ...told(other)],
  )
  assert.equal((await Array.fromAsync(readAllCharges(db, 'acc_one', justBefore))).length, 10)
  assert.deepEqual(await Array.fromAsync(readAllCharges(db, 'acc_none', noon)), [])
})

test('charges are recognised by the network’s ids, through any of our accounts', async () => {
  const { db, own, other } = merchants
  const known = async (accounts: readonly string[], names: readonly string[]) =>
    [...(await findKnownCharges(db, accounts, names))].map(([name, { merchantId, txRef }]) => [
      name,
      txRef,
      [own, other].includes(merchantId) && txRef.startsWith(String(merchantId)),
    ])
  const names = [
    'ch_1',
    'ch_none',
    ...Array.from({ length: 1_000 }, (_, place) => `ch_many_${place}`),
    'ch_6',
  ]
  const found = await known(['acc_one', 'acc_other'], names)
  assert.deepEqual(
    found.map(([name, , isTheirs]) => [name, isTheirs]),
    [
      ['ch_1', true],
      ['ch_6', true],
    ],
  )
  assert.deepEqual(await known(['acc_none'], names), [])
  assert.deepEqual(await known(['acc_one'], []), [])
})

test('the charge is read for the requested payments', async () => {
  const { db, own } = merchants
  const paid = await readPaidCharges(db, own, [1, 2, 6].map(paymentNumber))
  assert.deepEqual(
    paid.map(({ account_id, charge_reference }) => `${account_id} ${charge_reference}`).toSorted(),
    ['acc_one ch_1', 'acc_other ch_6'],
  )
  assert.deepEqual(await readPaidCharges(db, own, []), [])
})
