import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type {
  Account,
  HostedConnector,
  HostedOrder,
  HostedSavedOrder,
  HostedStatus,
  PaymentMethod,
  SavedMethod,
} from '../../src/core/networks/hosted.ts'
import { NoAnswer } from '../../src/core/networks/no-answer.ts'
import type { OpenPage } from './hosted-contract.ts'
import { makeOrder, makePage, withReference } from './hosted-orders.ts'
import type { StandIn } from './networks/stand-in.ts'

// What every network that saves methods must keep, written once.

export type UnderSavedContract = {
  readonly network: StandIn
  readonly connector: HostedConnector
  readonly account: Account
  readonly now: () => Date
  readonly goOn: (ms: number) => void
  readonly currency: string
  readonly method: PaymentMethod
  readonly saved: Omit<SavedMethod, 'reference'>
  /** The call that charges. */
  readonly chargePath: RegExp
  /** The customer pays on the page. */
  readonly pay: (opened: OpenPage) => void
  /** The money of a charge that takes days arrives; left out where charges are decided at once. */
  readonly arrive?: (order: HostedOrder) => void
  /** The network has nothing that keeps a request out which arrives after minutes. */
  readonly shutsOut?: false
  /** How many times this order took money, by the network's own books. */
  readonly timesCharged: (order: HostedOrder) => number
  /** The next charges are declined for this reason. */
  readonly decline?: (reason: 'insufficient_funds' | 'method_ended' | 'needs_customer' | undefined) => void
  readonly close: () => Promise<void>
}

const never = new AbortController().signal

export function keepsTheSavedContract(name: string, open: () => Promise<UnderSavedContract>): void {
  describe(`${name} keeps the contract of networks that save methods`, () => {
    let under: UnderSavedContract
    before(async () => {
      under = await open()
    })
    after(() => under.close())

    savingTests(() => under)
    chargingTests(() => under)
    lostTests(() => under)
  })
}

function savingTests(under: () => UnderSavedContract): void {
  test('a page with an agreement saves the method, and says so in every answer', async () => {
    const { connector, account, currency, method, saved } = under()
    assert.deepEqual(connector.saves?.(currency), [method])
    const order = await pay(under(), true)
    const { reference, ...shown } = await savedBy(under(), order)
    assert.deepEqual(shown, saved)
    assert.equal((await savedBy(under(), { ...order, connectorReference: undefined })).reference, reference)
    const withdrawn = await connector.withdraw(account, order, never)
    assert.equal(withdrawn.kind === 'charged' && withdrawn.savedMethod?.reference, reference)
  })

  test('a page without an agreement saves nothing', async () => {
    const status = await fetched(under(), await pay(under(), false))
    assert.equal(status.kind, 'charged')
    assert.equal(status.savedMethod, undefined)
  })

  test('an ended method can be ended again, and is never charged', async () => {
    const { connector, account, timesCharged } = under()
    const { reference } = await savedBy(under(), await pay(under(), true))
    const order = chargeOf(under(), reference)
    await connector.forget?.(account, reference, never)
    await connector.forget?.(account, reference, never)
    assert.deepEqual(await connector.chargeSaved?.(account, order, never), {
      kind: 'declined',
      reason: 'method_ended',
    })
    assert.equal(timesCharged(order), 0)
  })
}

function chargingTests(under: () => UnderSavedContract): void {
  test('a charge takes its amount once, and is found with and without its reference', async () => {
    const { connector, account, arrive, timesCharged } = under()
    const { reference } = await savedBy(under(), await pay(under(), true))
    const order = chargeOf(under(), reference, 2_345n)
    const status = await connector.chargeSaved?.(account, order, never)
    assert.equal(status?.kind, arrive ? 'pending' : 'charged')
    arrive?.(order)
    const found = await connector.fetch(account, order, never)
    assert.equal(found.kind, 'charged')
    assert.deepEqual(found.money, { amountMinor: 2_345n, currency: order.currency })
    if (!arrive) assert.deepEqual(status, found)
    const { connectorReference } = found
    assert.deepEqual(await connector.fetch(account, { ...order, connectorReference }, never), found)
    assert.deepEqual(await connector.withdraw(account, order, never), found)
    assert.equal(timesCharged(order), 1)
  })

  test('the same charge sent again takes nothing more', async () => {
    const { connector, account, arrive, timesCharged } = under()
    const { reference } = await savedBy(under(), await pay(under(), true))
    const order = chargeOf(under(), reference)
    const send = async () => connector.chargeSaved?.(account, order, never).catch(() => undefined)
    await Promise.all([send(), send(), send()])
    arrive?.(order)
    assert.equal(timesCharged(order), 1)
  })

  for (const reason of ['insufficient_funds', 'method_ended', 'needs_customer'] as const)
    test(`a charge is declined as ${reason}, and asked about it is the same`, async (t) => {
      const { connector, account, decline, timesCharged } = under()
      if (!decline) return t.diagnostic('This network declines nothing at once')
      const { reference } = await savedBy(under(), await pay(under(), true))
      const order = chargeOf(under(), reference)
      decline(reason)
      const declined = await connector.chargeSaved?.(account, order, never)
      decline(undefined)
      assert.deepEqual(declined, { kind: 'declined', reason })
      assert.deepEqual(await connector.fetch(account, order, never), declined)
      assert.equal(timesCharged(order), 0)
      return undefined
    })

  test('an account without rights charges nothing, and that decides nothing', async () => {
    const { connector, account, network, chargePath, timesCharged } = under()
    const { reference } = await savedBy(under(), await pay(under(), true))
    const order = chargeOf(under(), reference)
    void network.turn({ kind: 'forbids' }, { path: chargePath, method: 'POST' })
    const sent = connector.chargeSaved?.(account, order, never)
    await assert.rejects(sent ?? assert.fail(), NoAnswer)
    assert.equal(timesCharged(order), 0)
  })
}

function lostTests(under: () => UnderSavedContract): void {
  for (const kind of ['cuts', 'fails'] as const) {
    test(`a charge that went through is found if the network ${kind} its answer`, async () => {
      const { connector, account, network, chargePath, arrive, timesCharged } = under()
      const { reference } = await savedBy(under(), await pay(under(), true))
      const order = chargeOf(under(), reference)
      void network.turn({ kind, when: 'after' }, { path: chargePath, method: 'POST' })
      await assert.rejects(connector.chargeSaved?.(account, order, never) ?? assert.fail(), NoAnswer)
      arrive?.(order)
      assert.equal((await connector.fetch(account, order, never)).kind, 'charged')
      assert.equal((await connector.withdraw(account, order, never)).kind, 'charged')
      assert.equal(timesCharged(order), 1)
    })

    test(`a charge that the network ${kind} before it acts is shut out for good`, async () => {
      const { connector, account, network, chargePath, arrive, goOn, timesCharged } = under()
      const { reference } = await savedBy(under(), await pay(under(), true))
      const order = chargeOf(under(), reference)
      void network.turn({ kind, when: 'before' }, { path: chargePath, method: 'POST' })
      await assert.rejects(connector.chargeSaved?.(account, order, never) ?? assert.fail(), NoAnswer)
      assert.deepEqual(await connector.fetch(account, order, never), { kind: 'not_found' })
      goOn(11 * 60_000)
      for (let time = 0; time < 2; time += 1)
        assert.match((await connector.withdraw(account, order, never)).kind, /^(declined|not_found)$/)
      if (under().shutsOut === false) return assert.equal(timesCharged(order), 0)
      // The request was stuck on its way, and arrives now.
      await connector.chargeSaved?.(account, order, never).catch(() => undefined)
      arrive?.(order)
      assert.equal(timesCharged(order), 0)
      // Open: nobody knows the page, and payments withdraws it.
      assert.match((await connector.fetch(account, order, never)).kind, /^(declined|not_found|open)$/)
      return undefined
    })
  }
}

async function pay(under: UnderSavedContract, saves: boolean): Promise<HostedOrder> {
  const { connector, account, now } = under
  const order = { ...makeOrder(under), startedAt: now() }
  const page = {
    ...makePage(),
    expiresAt: new Date(now().getTime() + 3_600_000),
    ...(saves && { save: { agreement: 'recurring' as const, customerRef: 'ada' } }),
  }
  const opened = await connector.open(account, order, page, never)
  if (opened.kind !== 'open') throw new Error(`The page was refused: ${opened.why}`)
  under.pay(opened)
  return withReference(order, opened)
}

async function fetched(
  { connector, account }: UnderSavedContract,
  order: HostedOrder,
): Promise<HostedStatus> {
  return connector.fetch(account, order, never)
}

async function savedBy(under: UnderSavedContract, order: HostedOrder): Promise<SavedMethod> {
  const status = await fetched(under, order)
  assert.equal(status.kind, 'charged')
  return status.savedMethod ?? assert.fail('nothing was saved')
}

function chargeOf(
  under: UnderSavedContract,
  token: string,
  amountMinor = 990n,
): HostedSavedOrder & HostedOrder {
  const order = { ...makeOrder(under, amountMinor), startedAt: under.now() }
  const { email } = makePage()
  return { ...order, token, email, description: 'December', txRef: `charge-${randomUUID()}` }
}
