import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keepsTheHostedContract } from '../../../test/support/hosted-contract.ts'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import { openPaystack } from '../../../test/support/networks/open-networks.ts'
import type { PaymentMethod } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { channelsOf, paystackCurrencies } from './currencies.ts'

const never = new AbortController().signal

keepsTheHostedContract('Paystack', async () => {
  const { network, connector, account, close } = await openPaystack()
  const { books } = network
  return {
    connector,
    account,
    stranger: { ...account, credentials: { secret_key: 'sk_test_of_somebody_else' } },
    currency: 'ZAR',
    method: 'card',
    closes: false,
    tellsAgain: false,
    async pay({ connectorReference: reference }) {
      const wasOpen = books.transactions.get(reference)?.paid_at === null
      network.act(reference, 'pay')
      return wasOpen
    },
    async refuse({ connectorReference }) {
      network.act(connectorReference, 'refuse')
    },
    timesCharged: async ({ idempotencyKey }) =>
      books.ledger.filter(({ kind, reference }) => kind === 'charge' && reference === idempotencyKey).length,
    refundedMinor: async ({ idempotencyKey }) =>
      books.ledger
        .filter(({ kind, reference }) => kind === 'refund' && reference === idempotencyKey)
        .reduce((sum, { amount }) => sum - BigInt(amount), 0n),
    close,
  }
})

// Beyond the contract.

let world: Awaited<ReturnType<typeof openPaystack>>
before(async () => {
  world = await openPaystack()
})
after(() => world.close())

test('a transaction has our key as its reference and our ids in its metadata, and can be found by either', async () => {
  const { connector, account, network } = world
  const order = makeOrder({ connector, currency: 'NGN', method: 'bank' }, 250_000n)
  const opened = await connector.open(account, order, makePage(), never)
  assert.equal(opened.kind, 'open')
  assert.equal(opened.connectorReference, order.idempotencyKey)
  const sent = network.requests.findLast(({ path }) => path === '/transaction/initialize')
  assert.deepEqual(JSON.parse(sent?.text ?? ''), {
    reference: order.idempotencyKey,
    email: 'ada@example.com',
    amount: 250_000,
    currency: 'NGN',
    channels: ['bank', 'bank_transfer', 'ussd'],
    callback_url: 'https://pay.example.com/payment/1/return',
    metadata: {
      florin_merchant: '12345678',
      florin_payment: order.paymentNumber,
      florin_key: order.idempotencyKey,
      cancel_action: 'https://pay.example.com/payment/1',
    },
  })
})

test('every currency and method is accepted exactly within its limits', async () => {
  const { connector, account } = world
  assert.deepEqual(
    paystackCurrencies.map((currency) => [currency, connector.methods(currency)]),
    [
      ['NGN', ['card', 'bank']],
      ['GHS', ['card', 'mobile_money']],
      ['KES', ['card', 'mobile_money']],
      ['ZAR', ['card', 'bank']],
      ['USD', ['card']],
      ['XOF', ['card', 'mobile_money']],
    ],
  )
  const opens = async (currency: string, method: PaymentMethod, amount: bigint): Promise<string> => {
    const order = makeOrder({ connector, currency, method }, amount)
    return (await connector.open(account, order, makePage(), never)).kind
  }
  for (const currency of paystackCurrencies)
    for (const method of connector.methods(currency)) {
      const { least, most } = connector.limits(currency, method)
      const kinds = []
      for (const amount of [least - 1n, least, most, most + 1n])
        kinds.push(await opens(currency, method, amount))
      assert.deepEqual(kinds, ['refused', 'open', 'open', 'refused'], `${currency} by ${method}`)
    }
  assert.deepEqual(connector.methods('GBP'), [])
  assert.deepEqual(channelsOf('GBP', 'card'), [])
  assert.deepEqual(connector.limits('GBP', 'card'), { least: 1n, most: 0n })
  assert.deepEqual(connector.methods('constructor'), [])
})

test('francs are sent and read in hundredths, which they do not have', async () => {
  const { connector, account, network } = world
  const order = makeOrder({ connector, currency: 'XOF', method: 'mobile_money' }, 2_500n)
  await connector.open(account, order, makePage(), never)
  assert.equal(network.books.transactions.get(order.idempotencyKey)?.amount, 250_000)
  network.act(order.idempotencyKey, 'pay')
  const status = await connector.fetch(account, order, never)
  assert.deepEqual(status.kind === 'charged' && status.money, { amountMinor: 2_500n, currency: 'XOF' })
})

test('a payment without an e-mail address is refused before Paystack is called', async () => {
  const { connector, account, network } = world
  const asked = network.requests.length
  const order = makeOrder({ connector, currency: 'ZAR', method: 'card' })
  const opened = await connector.open(account, order, { ...makePage(), email: '' }, never)
  assert.deepEqual(opened, { kind: 'refused', why: 'Paystack needs the customer’s e-mail address' })
  assert.equal(network.requests.length, asked)
})

test('check says which kind of key it is, and that callbacks are set up in the dashboard', async () => {
  const { connector, account } = world
  assert.deepEqual(await connector.check(account, 'https://pay.example.com/c', never), {
    kind: 'works',
    accountName: 'Paystack account (test key)',
    sandbox: true,
    callbacks: 'unknown',
  })
  assert.equal(connector.isSandbox({ secret_key: 'sk_live_1' }), false)
  assert.equal(connector.isSandbox({}), false)
})

test('a malformed response counts as no answer', async () => {
  const { connector, account, network } = world
  const order = makeOrder({ connector, currency: 'ZAR', method: 'card' })
  const says = async (body: unknown, call: () => Promise<unknown>): Promise<void> => {
    void network.turn({ kind: 'says', body })
    await assert.rejects(call(), NoAnswer, JSON.stringify(body))
  }
  const page = makePage()
  for (const body of [{}, { status: false }, { status: true }, { status: true, data: {} }])
    await says(body, async () => connector.open(account, order, page, never))
  const other = { reference: 'another', status: 'success', amount: 1_999, currency: 'ZAR' }
  for (const data of [
    undefined,
    [],
    other,
    { ...other, reference: order.idempotencyKey, amount: 19.99 },
    { ...other, reference: order.idempotencyKey, amount: '1999' },
    { ...other, reference: order.idempotencyKey, currency: undefined },
  ])
    await says({ status: true, data }, async () => connector.fetch(account, order, never))
})
