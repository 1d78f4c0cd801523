import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountsInMemory, liveAccount } from '../../../../../test/support/hosted-choice.ts'
import type { HostedConnector, PaymentMethod } from '../../../networks/hosted.ts'
import type { Mode } from '../../../merchants/mode.ts'
import type { Paying } from '../paying.ts'
import { accountOf, accountsFor } from './account-of.ts'
import { offersFor } from './offers.ts'

/** As much of a network as is looked at before anybody calls it. */
function network(name: string, changes: Partial<HostedConnector> = {}): HostedConnector {
  const known: Partial<HostedConnector> = {
    kind: 'hosted',
    name,
    label: `The ${name}`,
    mode: 'live',
    credentials: [{ name: 'key', label: 'Key' }],
    methods: () => ['card'],
    limits: () => ({ least: 10n, most: 20n }),
    ...changes,
  }
  return known as HostedConnector
}

const cardNetwork = { kind: 'form', name: 'cards', mode: 'test' } as Paying['connectors'][number]

function payingWith(
  connectors: readonly HostedConnector[],
  accounts: ReturnType<typeof liveAccount>[] = [],
): Paying {
  const paying: Pick<Paying, 'connectors' | 'accounts'> = {
    connectors: [cardNetwork, ...connectors],
    accounts: accountsInMemory(accounts),
  }
  return paying as Paying
}

const payment = (amount_minor: bigint, mode: Mode = 'live') => ({
  merchant_id: 1,
  mode,
  amount_minor,
  currency: 'GBP',
  saving: null,
})

test('an amount is offered within a network’s limits and steps', async () => {
  const plain = payingWith([network('bank')], [liveAccount('bank')])
  const stepped = payingWith(
    [network('bank', { limits: () => ({ least: 10n, most: 20n, step: 5n }) })],
    [liveAccount('bank')],
  )
  for (const [amount, fits, fitsInSteps] of [
    [9n, false, false],
    [10n, true, true],
    [11n, true, false],
    [20n, true, true],
    [21n, false, false],
    [25n, false, false],
  ] as const) {
    const answer = (isOffered: boolean) => [isOffered ? 1 : 0, !isOffered]
    for (const [paying, expected] of [
      [plain, fits],
      [stepped, fitsInSteps],
    ] as const) {
      const { offers, amountOutOfRange } = await offersFor(paying, payment(amount))
      assert.deepEqual([offers.length, amountOutOfRange], answer(expected), String(amount))
    }
  }
})

test('each payment method is offered once, by its public name, and no sandbox beside real money', async () => {
  const both: PaymentMethod[] = ['card', 'bank']
  const connectors = [network('bank', { methods: () => both }), network('other')]
  const offered = async (...accounts: ReturnType<typeof liveAccount>[]) =>
    (await offersFor(payingWith(connectors, accounts), payment(10n))).offers
  const offer = (name: string, method: PaymentMethod, sandbox = false) => ({
    accountId: `acc_${name}`,
    connector: name,
    label: `The ${name}`,
    method,
    sandbox,
  })
  const ofBank = [offer('bank', 'card'), offer('bank', 'bank')]
  const second = { ...liveAccount('bank'), id: 'acc_second' }
  assert.deepEqual(await offered(), [])
  assert.deepEqual(await offered(liveAccount('bank')), ofBank)
  assert.deepEqual(await offered(liveAccount('bank'), second), ofBank)
  assert.deepEqual(await offered(liveAccount('bank'), liveAccount('other')), [
    ...ofBank,
    offer('other', 'card'),
  ])
  assert.deepEqual(await offered(liveAccount('bank'), liveAccount('other', true)), ofBank)
  assert.deepEqual(await offered(liveAccount('other', true)), [offer('other', 'card', true)])
  assert.deepEqual(await offersFor(payingWith(connectors), payment(10n)), {
    offers: [],
    amountOutOfRange: false,
  })
})

test('a payment may use accounts of its own mode, and networks that need none', async () => {
  const builtIn = network('built-in', { mode: 'test', credentials: [] })
  const house = network('house', { credentials: [] })
  const paying = payingWith([house, network('bank'), builtIn], [liveAccount('bank'), liveAccount('gone')])
  const account = (name: string) => ({ id: `acc_${name}`, connector: name, credentials: {}, sandbox: true })
  const names = async (mode: Mode): Promise<unknown> =>
    (await accountsFor(paying, 1, mode)).map((reached) => [reached.connector.name, reached.account])
  assert.deepEqual(await names('live'), [
    ['bank', liveAccount('bank')],
    ['house', account('house')],
  ])
  assert.deepEqual(await names('test'), [['built-in', account('built-in')]])
})

test('an attempt is looked up only at its own account', async () => {
  const builtIn = network('built-in', { mode: 'test', credentials: [] })
  const paying = payingWith([network('bank'), builtIn], [liveAccount('bank'), liveAccount('other')])
  const reach = async (connector: string, account_id: string | null): Promise<unknown> => {
    const reached = await accountOf(paying, { merchant_id: 1, connector, account_id })
    return [reached.connector.name, reached.account.id]
  }
  assert.deepEqual(await reach('bank', 'acc_bank'), ['bank', 'acc_bank'])
  assert.deepEqual(await reach('built-in', 'acc_built-in'), ['built-in', 'acc_built-in'])
  await assert.rejects(reach('bank', 'acc_other'), /There is no account acc_other/)
  await assert.rejects(reach('bank', 'acc_gone'), /There is no account acc_gone/)
  for (const name of ['gone', 'cards'])
    await assert.rejects(reach(name, 'acc_bank'), /with a page of its own/, name)
  await assert.rejects(reach('bank', null), /with a page of its own/)
})
