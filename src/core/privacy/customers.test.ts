import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, openWitness, type Witness } from '../../../test/support/witness.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { eraseCustomer, erasePayments, exportCustomer, type Rooms } from './customers.ts'
import type { Customer, PersonalRows } from './personal-rows.ts'

let witness: Witness
let merchantId: number
before(async () => {
  witness = await openWitness()
  merchantId = await createMerchant(witness.db, { name: 'Corner shop' })
})
after(() => witness.close())

const email = 'ada@example.com'
const numberOf = (index: number): string => String(index).padStart(4, '0')
const people = [
  { first_name: 'Ada', last_name: 'Lovelace' },
  { first_name: 'Ada', last_name: 'King' },
]
const paymentsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    number: numberOf(index + 1),
    tx_ref: `order-${index + 1}`,
    first_name: people[index % 2]?.first_name ?? '',
    last_name: people[index % 2]?.last_name ?? '',
  }))

type Round = { readonly room: string; readonly kind: Queryable['kind']; readonly customer: Customer }

/** Two rooms over so many payments, of which those that were erased are not found again. */
function open(count: number): Rooms & { rounds: Round[] } {
  const payments = paymentsOf(count)
  const erased = new Set<string>()
  const rounds: Round[] = []
  const room = (what: string, rowsEach: number): PersonalRows => ({
    what,
    async read(db, customer) {
      rounds.push({ room: what, kind: db.kind, customer })
      return customer.numbers.map((number) => ({ what, number }))
    },
    async erase(tx, customer) {
      rounds.push({ room: what, kind: tx.kind, customer })
      for (const number of customer.numbers) erased.add(number)
      return customer.numbers.length * rowsEach
    },
  })
  return {
    rounds,
    rows: [room('payments', 1), room('mails', 2)],
    async find(_db, asked) {
      assert.deepEqual([asked.merchantId, asked.email, asked.max], [merchantId, email, 100])
      return payments.filter(({ number }) => number > asked.after && !erased.has(number)).slice(0, asked.max)
    },
  }
}

const sizesOf = (rounds: readonly Round[]): unknown[] =>
  rounds.map(({ room, kind, customer }) => [room, kind, customer.numbers.length])

test('everything known about a customer is read, a hundred payments at a time', async () => {
  for (const [count, sizes] of [
    [1, [1]],
    [100, [100]],
    [250, [100, 100, 50]],
  ] as const) {
    const rooms = open(count)
    const found = await exportCustomer(witness.db, rooms, { merchantId, email })
    const all = (what: string) => paymentsOf(count).map(({ number }) => ({ what, number }))
    assert.deepEqual(found, { payments: all('payments'), mails: all('mails') })
    assert.deepEqual(
      sizesOf(rooms.rounds),
      sizes.flatMap((size) => [
        ['payments', 'database', size],
        ['mails', 'database', size],
      ]),
    )
  }
  assert.equal(await exportCustomer(witness.db, open(0), { merchantId, email }), undefined)
})

test('a customer is erased in one commit per hundred payments, each audited without a name', async () => {
  const rooms = open(150)
  let counts: unknown
  const { acts } = await witness.see(merchantId, async () => {
    counts = await eraseCustomer(witness.db, rooms, { merchantId, email }, ada)
  })
  assert.deepEqual(counts, { payments: 150, mails: 300 })
  assert.deepEqual(sizesOf(rooms.rounds), [
    ['payments', 'transaction', 100],
    ['mails', 'transaction', 100],
    ['payments', 'transaction', 50],
    ['mails', 'transaction', 50],
  ])
  const act = { action: 'customer.erased', actor: 'ada', before: null }
  assert.deepEqual(acts, [
    { ...act, subject: numberOf(1), after: { payments: 100, mails: 200 } },
    { ...act, subject: numberOf(101), after: { payments: 50, mails: 100 } },
  ])

  const nobody = await witness.see(merchantId, async () => {
    assert.equal(await eraseCustomer(witness.db, open(0), { merchantId, email }, ada), undefined)
  })
  assert.deepEqual(nobody.acts, [])
})

test('parts of a name are erased from a customer’s own rows, from others’ rows only the full name', async () => {
  const rooms = open(2)
  await eraseCustomer(witness.db, rooms, { merchantId, email }, ada)
  const [{ customer } = assert.fail()] = rooms.rounds
  const text = 'Ada Lovelace, Ada King, King Ada of ada@example.com'
  assert.equal(customer.redact(text), 'erased, erased, erased erased of erased@florin.invalid')
  assert.equal(customer.redactStrictly(text), 'erased, erased, King Ada of erased@florin.invalid')
  assert.deepEqual([customer.merchantId, customer.email, customer.isWholePerson], [merchantId, email, true])
})

test('old payments are erased address by address, without an audit entry', async () => {
  const rooms = open(0)
  const emails = ['ada@example.com', 'bob@example.com', 'ada@example.com']
  const old = paymentsOf(3).map((payment, index) => ({ ...payment, email: emails[index] ?? '' }))
  const { acts } = await witness.see(merchantId, async () => {
    assert.equal(await erasePayments(witness.db, rooms.rows, merchantId, old), 3)
  })
  assert.deepEqual(acts, [])
  assert.deepEqual(
    rooms.rounds.map(({ room, customer }) => [room, customer.email, customer.numbers]),
    [
      ['payments', 'ada@example.com', [numberOf(1), numberOf(3)]],
      ['mails', 'ada@example.com', [numberOf(1), numberOf(3)]],
      ['payments', 'bob@example.com', [numberOf(2)]],
      ['mails', 'bob@example.com', [numberOf(2)]],
    ],
  )
  assert.ok(rooms.rounds.every(({ customer }) => !customer.isWholePerson))
})
