import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPage, openPaystack } from '../../../test/support/networks/open-networks.ts'
import { transactionStatuses, type TransactionStatus } from '../../../test/support/networks/paystack/books.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openPaystack>>
before(async () => {
  world = await openPaystack()
})
after(() => world.close())

const kinds: Readonly<Record<TransactionStatus | 'never_heard_of', readonly [string, string]>> = {
  // What fetch says, and withdraw.
  abandoned: ['open', 'still_open'],
  failed: ['open', 'still_open'],
  ongoing: ['open', 'still_open'],
  pending: ['pending', 'pending'],
  processing: ['pending', 'pending'],
  queued: ['pending', 'pending'],
  success: ['charged', 'charged'],
  reversed: ['declined', 'declined'],
  never_heard_of: ['pending', 'pending'],
}

test('every transaction status has one meaning, and an unknown one is pending', async () => {
  const { connector, account, network } = world
  for (const status of [...transactionStatuses, 'never_heard_of'] as const) {
    const { order, reference } = await openPage(world)
    const transaction = network.books.transactions.get(reference) ?? assert.fail()
    transaction.status = status as TransactionStatus
    const found = await connector.fetch(account, order, never)
    const withdrawn = await connector.withdraw(account, order, never)
    assert.deepEqual([found.kind, withdrawn.kind], kinds[status], status)
  }
})

test('a withdrawn page can still be paid, and then counts as charged', async () => {
  const { connector, account, network } = world
  const { order, reference } = await openPage(world)
  assert.deepEqual(await connector.withdraw(account, order, never), { kind: 'still_open' })
  network.act(reference, 'pay')
  assert.equal((await connector.fetch(account, order, never)).kind, 'charged')
  assert.equal((await connector.withdraw(account, order, never)).kind, 'charged')
})

test('a page whose URL was lost was never shown, so withdrawing ends it', async () => {
  const { connector, account } = world
  const { order } = await openPage(world)
  const lost = { ...order, connectorReference: undefined }
  const abandoned = { kind: 'declined', reason: 'challenge_abandoned' }
  assert.deepEqual(await connector.withdraw(account, lost, never), abandoned)
})

test('a transfer of another amount is charged with that amount', async () => {
  const { connector, account, network } = world
  const { order, reference } = await openPage(world)
  network.act(reference, 'transfer')
  assert.equal((await connector.fetch(account, order, never)).kind, 'open')
  network.transferComes(reference, 1_500)
  const status = await connector.fetch(account, order, never)
  assert.deepEqual(status.kind === 'charged' && status.money, { amountMinor: 1_500n, currency: 'ZAR' })
})
