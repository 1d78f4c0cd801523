import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder } from '../../../test/support/hosted-orders.ts'
import { mandateStatuses, paymentStatuses } from '../../../test/support/networks/gocardless-books.ts'
import { openGoCardless } from '../../../test/support/networks/open-networks.ts'
import { keepsTheSavedContract } from '../../../test/support/saved-contract.ts'
import type { HostedOrder, HostedStatus } from '../../core/networks/hosted.ts'

type World = Awaited<ReturnType<typeof openGoCardless>>

function paymentsOf({ network }: World, { idempotencyKey }: HostedOrder) {
  return [...network.books.payments.values()].filter(
    ({ metadata }) => metadata['florin_key'] === idempotencyKey,
  )
}

keepsTheSavedContract('GoCardless', async () => {
  const world = await openGoCardless()
  const { network } = world
  return {
    ...world,
    currency: 'GBP',
    method: 'bank',
    saved: { kind: 'debit', brand: 'BARCLAYS BANK PLC' },
    chargePath: /^\/payments$/,
    shutsOut: false,
    pay: ({ url }) => network.act(url.slice(url.lastIndexOf('/') + 1), 'pay'),
    arrive(order) {
      for (const { id, status } of paymentsOf(world, order))
        if (status === 'pending_submission') network.movePayment(id, 'confirmed')
    },
    timesCharged: (order) =>
      paymentsOf(world, order).filter(({ status }) => status === 'confirmed' || status === 'paid_out').length,
  }
})

let world: World
before(async () => {
  world = await openGoCardless()
  const metadata = { florin_payment: '7' }
  world.network.books.mandates.set('MD1', {
    id: 'MD1',
    created_at: world.now().toISOString(),
    metadata,
    status: 'active',
  })
})
after(() => world.close())

const never = new AbortController().signal

function newCharge() {
  const order = makeOrder({ connector: world.connector, currency: 'GBP', method: 'bank' }, 990n)
  const words = { email: 'ada@example.com', description: 'December', txRef: 'charge-1' }
  return { ...order, ...words, startedAt: world.now(), token: 'MD1' }
}

async function charged(): Promise<{ order: HostedOrder; id: string }> {
  const order = newCharge()
  await world.connector.chargeSaved?.(world.account, order, never)
  return { order, id: paymentsOf(world, order)[0]?.id ?? assert.fail() }
}

const fetched = async (order: HostedOrder): Promise<HostedStatus> =>
  world.connector.fetch(world.account, order, never)

test('a debit is pending until it is confirmed, and stays charged when it comes back', async () => {
  const kinds: Record<string, string> = { failed: 'declined', cancelled: 'declined' }
  Object.assign(kinds, { customer_approval_denied: 'declined', confirmed: 'charged' })
  Object.assign(kinds, { paid_out: 'charged', charged_back: 'charged' })
  const { order, id } = await charged()
  for (const status of paymentStatuses) {
    world.network.movePayment(id, status)
    assert.equal((await fetched(order)).kind, kinds[status] ?? 'pending', status)
  }
})

test('the cause of a failed debit says whether the mandate may be charged again', async () => {
  for (const [cause, reason] of [
    ['insufficient_funds', 'insufficient_funds'],
    ['refer_to_payer', 'insufficient_funds'],
    ['bank_account_closed', 'method_ended'],
    ['mandate_cancelled', 'method_ended'],
    ['other', 'declined'],
  ] as const) {
    const { order, id } = await charged()
    world.network.movePayment(id, 'failed', cause)
    assert.deepEqual(await fetched(order), { kind: 'declined', reason }, cause)
  }
})

test('a debit that comes back after it was confirmed is a lost dispute, and won if the bank takes that back', async () => {
  const { connector, account, network } = world
  const asked = async (id: string) => connector.fetchDispute?.(account, id, never)
  for (const back of ['charged_back', 'failed'] as const) {
    const { order, id } = await charged()
    assert.equal(await asked(id), undefined)
    network.movePayment(id, 'confirmed')
    assert.equal(await asked(id), undefined)
    network.movePayment(id, back, 'authorisation_disputed')
    assert.deepEqual(await asked(id), {
      kind: 'lost',
      moneyTaken: true,
      disputeReference: id,
      chargeReference: id,
      money: { amountMinor: 990n, currency: 'GBP' },
      reason: 'authorisation_disputed',
      order: {
        merchantId: 12_345_678,
        paymentNumber: order.paymentNumber,
        idempotencyKey: order.idempotencyKey,
      },
    })
    network.movePayment(id, 'confirmed')
    const won = await asked(id)
    assert.deepEqual([won?.kind, won?.moneyTaken], ['won', false])
  }
  const failed = await charged()
  network.movePayment(failed.id, 'failed')
  assert.equal(await asked(failed.id), undefined, 'it was never paid')
  assert.equal(await asked('PM_NONE'), undefined)
})

test('debits that came back are listed since a time', async () => {
  const { connector, account, network, now } = world
  world.goOn(86_400_000)
  const since = now()
  const { id } = await charged()
  network.movePayment(id, 'confirmed')
  network.movePayment(id, 'charged_back')
  const found: string[] = []
  for await (const each of connector.disputesSince?.(account, since, never) ?? []) found.push(each)
  assert.deepEqual(found, [id])
})

test('a mandate has ended when its customer or bank says so, and names the payment that saved it', async () => {
  const { connector, account, network } = world
  const ended = ['failed', 'cancelled', 'expired', 'consumed', 'blocked']
  for (const status of mandateStatuses) {
    network.moveMandate('MD1', status)
    assert.deepEqual(await connector.fetchMethod?.(account, 'MD1', never), {
      isEnded: ended.includes(status),
      paymentNumber: '7',
    })
  }
  network.moveMandate('MD1', 'active')
  assert.equal(await connector.fetchMethod?.(account, 'MD_NONE', never), undefined)
})

test('a charge that GoCardless has not seen is given up after ten minutes', async () => {
  const order = newCharge()
  const withdraw = async () => world.connector.withdraw(world.account, order, never)
  await assert.rejects(withdraw(), /may still be on its way/)
  world.goOn(10 * 60_000)
  assert.deepEqual(await withdraw(), { kind: 'not_found' })
})
