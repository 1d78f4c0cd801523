import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, paymentNumber, paymentRow, type Values } from '../../../../test/support/rows.ts'
import { testSecrets as secrets } from '../../../../test/support/secrets.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import type { HostedConnector, HostedSavedOrder, HostedStatus } from '../../../core/networks/hosted.ts'
import { sql } from '../../../platform/database/sql.ts'
import { countDeclined } from '../../../core/payments/attempts/attempt-store.ts'
import { reconcile } from '../../../core/payments/attempts/reconcile.ts'
import type { PaymentRow } from '../../../core/payments/checkout-view.ts'
import { makeSavedMethods } from '../settle.ts'
import { sealToken } from '../tokens.ts'
import type { MethodKeeping } from '../keeping.ts'
import { payWithMethod, usableMethods } from './pay-present.ts'

// A network with a page of its own, where saved methods are charged without it.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

let made = 0

type Story = {
  readonly keeping: MethodKeeping
  readonly payment: PaymentRow
  readonly id: string
  readonly orders: readonly HostedSavedOrder[]
}

/** A customer with one saved method, on the page of a new payment of theirs. */
async function story(
  answer: Partial<HostedStatus> | undefined,
  { method, bank, payment }: { method?: Values; bank?: Partial<HostedConnector>; payment?: Values } = {},
): Promise<Story> {
  made += 1
  const { db, merchantId: merchant_id } = till
  const [first, second] = [paymentNumber(2 * made), paymentNumber(2 * made + 1)]
  const ref = `customer-${made}`
  const id = `svm_${String(made).padStart(16, '0')}`
  await insertRows(db, 'payments', [
    paymentRow({
      merchant_id,
      number: first,
      tx_ref: `first-${made}`,
      state: 'success',
      email: `${ref}@example.com`,
    }),
    paymentRow({
      merchant_id,
      number: second,
      tx_ref: `second-${made}`,
      state: 'pending',
      expires_at: new Date(till.paying.now().getTime() + 3_600_000),
      saving: JSON.stringify({ customerRef: ref }),
      ...payment,
    }),
  ])
  await insertRows(db, 'saved_methods', [
    {
      merchant_id,
      id,
      mode: 'test',
      customer_ref: ref,
      agreement: 'recurring',
      limit_currency: 'GBP',
      number: first,
      connector: till.bank.name,
      account_id: 'acc_test-bank',
      kind: 'card',
      brand: 'Visa',
      last4: '4242',
      token: sealToken(secrets, { merchantId: merchant_id, id }, 'tok_1'),
      ...method,
    },
  ])
  const orders: HostedSavedOrder[] = []
  const network: Partial<HostedConnector> = {
    saves: () => ['card', 'bank'],
    async chargeSaved(_, order) {
      orders.push(order)
      if (!answer) throw new Error('connection reset')
      const money = { amountMinor: order.amountMinor, currency: order.currency }
      return { connectorReference: 'c_1', chargeReference: 'ch_1', money, ...answer } as HostedStatus
    },
    ...bank,
  }
  const paying = till.withBank(network, { savedMethods: makeSavedMethods({ db, secrets }) })
  const key = { merchantId: merchant_id, number: second }
  return { keeping: { ...till.core, secrets, paying }, payment: await till.read(key), id, orders }
}

async function press({ keeping, payment, id }: Story) {
  const result = await payWithMethod(keeping, payment, id, 'de')
  const { state, saving } = await till.read({ merchantId: till.merchantId, number: payment.number })
  const [row] = await till.db.query<{ tries: number; is_ended: boolean }>(sql`
    select cardinality(tries) as tries, ended_at is not null as is_ended from saved_methods
    where merchant_id = ${till.merchantId} and id = ${id}`)
  return { kind: result.kind, state, method: JSON.parse(saving ?? '{}').method?.id as unknown, ...row }
}

test('a present customer is charged at the network without its page, as its order says', async () => {
  const paid = await story({ kind: 'charged' })
  const { id } = paid
  assert.deepEqual(await press(paid), {
    kind: 'paid',
    state: 'success',
    method: id,
    tries: 0,
    is_ended: false,
  })
  const [order] = paid.orders
  assert.equal(order?.isPresent, true)
  assert.equal(order.token, 'tok_1')
  assert.equal(order.email, `customer-${made}@example.com`, 'of the payment that saved it')
  assert.equal(paid.orders.length, 1)
})

for (const [what, answer, expected] of [
  [
    'that wants its own page',
    { kind: 'declined', reason: 'needs_customer' },
    ['declined', 'pending', 1, false],
  ],
  [
    'that declines softly',
    { kind: 'declined', reason: 'insufficient_funds' },
    ['declined', 'pending', 1, false],
  ],
  ['that declines for good', { kind: 'declined', reason: 'method_ended' }, ['declined', 'pending', 1, true]],
  ['that takes days', { kind: 'pending' }, ['waiting', 'pending', 1, false]],
  ['that does not answer', undefined, ['waiting', 'pending', 1, false]],
] as const)
  test(`a network ${what} leaves the payment open`, async () => {
    const { kind, state, tries, is_ended } = await press(await story(answer))
    assert.deepEqual([kind, state, tries, is_ended], expected)
  })

test('a charge that the network never received is no decline and no try, and the method is offered again', async () => {
  const lost = await story(undefined, {
    bank: {
      async fetch() {
        return { kind: 'not_found' }
      },
      async withdraw() {
        return { kind: 'not_found' }
      },
    },
  })
  assert.equal((await press(lost)).kind, 'waiting')
  const { keeping, payment, id } = lost
  const key = { merchantId: till.merchantId, number: payment.number }
  till.forward(60_000)
  await reconcile(keeping.paying)
  const [attempt] = await till.attempts(key)
  assert.deepEqual([attempt?.state, attempt?.decline_reason], ['not_sent', 'network_silent'])
  const [method] = await usableMethods(keeping, await till.read(key))
  assert.deepEqual([method?.id, method?.tries.length], [id, 0])
  assert.deepEqual(await countDeclined(till.db, till.merchantId, [payment.number]), new Map())
})

test('a method that ends between the press and the charge is never charged', async () => {
  const ending = await story({ kind: 'charged' })
  const { keeping, id } = ending
  const startAttempt: typeof keeping.paying.startAttempt = async (...call) => {
    const started = await keeping.paying.startAttempt(...call)
    await till.db.query(sql`
      update saved_methods set ended_at = now(), ended_by = 'customer' where merchant_id = ${till.merchantId} and id = ${id}`)
    return started
  }
  const during = { ...ending, keeping: { ...keeping, paying: { ...keeping.paying, startAttempt } } }
  const { kind, state, tries } = await press(during)
  assert.deepEqual([kind, state, tries, ending.orders.length], ['declined', 'pending', 0, 0])
})

const month = (offset: number): string => {
  const at = till.paying.now()
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1)).toISOString().slice(0, 7)
}
const fewer = { limits: () => ({ least: 10_000_000n, most: 20_000_000n }) }

for (const [claim, count, changes] of [
  ['an ordinary method', 1, () => ({})],
  ['a card in its last month', 1, () => ({ method: { expires: month(0) } })],
  ['an expired card', 0, () => ({ method: { expires: month(-1) } })],
  ['a method in another currency', 0, () => ({ method: { limit_currency: 'EUR' } })],
  ['a method of another mode', 0, () => ({ method: { mode: 'live' } })],
  [
    'a method tried too often',
    0,
    () => ({ method: { tries: Array.from({ length: 15 }, () => new Date()) } }),
  ],
  ['an amount that its network does not take', 0, () => ({ bank: fewer })],
  ['a network that saves nothing any more', 0, () => ({ bank: { saves: () => [] } })],
  ['a network that charges no saved methods', 0, () => ({ bank: { chargeSaved: undefined } })],
  ['a payment that asks to save', 0, () => ({ payment: { saving: '{"asked":{"customerRef":"x"}}' } })],
  ['a payment without a customer', 0, () => ({ payment: { saving: null } })],
] as const)
  test(`${claim} is ${count === 1 ? '' : 'not '}offered`, async () => {
    const { keeping, payment } = await story({ kind: 'charged' }, changes())
    assert.equal((await usableMethods(keeping, payment)).length, count)
  })
