import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { CardDetails, FormConnector, Order } from '../../src/core/networks/connector.ts'

// What every connector must keep, written once. A connector brings cards that lead to the outcomes and a way to ask
// its network what really happened.

export type UnderContract = {
  readonly connector: FormConnector
  /** Whose orders they are. */
  readonly merchantId: number
  readonly cards: {
    readonly good: CardDetails
    readonly declined: CardDetails
    readonly challenge: CardDetails
    readonly timeOutPaid: CardDetails
    readonly timeOutNotPaid: CardDetails
    readonly notTaken: CardDetails
  }
  /** How many orders with this key took money. */
  readonly timesCharged: (order: Order) => Promise<number>
  /** Lets the network decide what it has not decided yet. */
  readonly letItDecide: () => void
  readonly close: () => Promise<void>
}

const never = new AbortController().signal

export function keepsTheContract(name: string, open: () => Promise<UnderContract>): void {
  describe(`${name} keeps the contract of connectors`, () => {
    let under: UnderContract
    before(async () => {
      under = await open()
    })
    after(() => under.close())

    const orderWith = (card: CardDetails): Order => makeOrder(under, card)

    test('a good order is charged, and its status says so with the same reference', async () => {
      const order = orderWith(under.cards.good)
      const outcome = await under.connector.charge(order, never)
      assert.equal(outcome.kind, 'charged')
      assert.deepEqual(await under.connector.fetchStatus(order, never), outcome)
      assert.equal(await under.timesCharged(order), 1)
    })

    test('the same key sent many times at once is charged once, with one outcome for all', async () => {
      const order = orderWith(under.cards.good)
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => under.connector.charge(order, never)),
      )
      for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0])
      assert.equal(await under.timesCharged(order), 1)
    })

    test('a declined key stays declined, whatever card is sent with it later', async () => {
      const order = orderWith(under.cards.declined)
      const first = await under.connector.charge(order, never)
      assert.equal(first.kind, 'declined')
      assert.deepEqual(await under.connector.charge({ ...order, card: under.cards.good }, never), first)
      assert.equal(await under.timesCharged(order), 0)
    })

    test('an unknown order is not found', async () => {
      const order = orderWith(under.cards.good)
      assert.deepEqual(await under.connector.fetchStatus(order, never), { kind: 'not_found' })
    })

    challengeTests(() => under, orderWith)
    timeOutTests(() => under, orderWith)
    withdrawTests(() => under, orderWith)

    test('a call aborted before it starts does nothing', async () => {
      const order = orderWith(under.cards.good)
      await assert.rejects(under.connector.charge(order, AbortSignal.abort()))
      assert.equal(await under.timesCharged(order), 0)
    })

    test('only a card’s brand and last four digits are kept, and only its own cards are accepted', () => {
      const { good, notTaken } = under.cards
      const summary = under.connector.readCard(good)
      assert.equal(summary?.last4, good.number.replaceAll(' ', '').slice(-4))
      assert.equal(under.connector.readCard(notTaken), undefined)
    })
  })
}

type OrderWith = (card: CardDetails) => Order

function challengeTests(under: () => UnderContract, orderWith: OrderWith): void {
  test('a challenge charges nothing until the customer approves', async () => {
    const { connector, cards, timesCharged } = under()
    const order = orderWith(cards.challenge)
    const asked = await connector.charge(order, never)
    assert.equal(asked.kind, 'action_required')
    assert.deepEqual(await connector.fetchStatus(order, never), asked)
    assert.equal(await timesCharged(order), 0)
    assert.equal((await connector.continueAfterChallenge(order, 'approve', never)).kind, 'charged')
    assert.equal(await timesCharged(order), 1)
  })

  test('the first answer to a challenge counts, and is returned again to the next', async () => {
    const { connector, cards, timesCharged } = under()
    const order = orderWith(cards.challenge)
    await connector.charge(order, never)
    const refused = { kind: 'declined', reason: 'challenge_refused' }
    assert.deepEqual(await connector.continueAfterChallenge(order, 'refuse', never), refused)
    assert.deepEqual(await connector.continueAfterChallenge(order, 'approve', never), refused)
    assert.deepEqual(await connector.withdraw(order, never), refused)
    assert.equal(await timesCharged(order), 0)
  })
}

function timeOutTests(under: () => UnderContract, orderWith: OrderWith): void {
  test('a time-out is no answer, pending at first, and decided later', async () => {
    const { connector, cards, timesCharged, letItDecide } = under()
    const paid = orderWith(cards.timeOutPaid)
    const notPaid = orderWith(cards.timeOutNotPaid)
    for (const order of [paid, notPaid]) {
      assert.deepEqual(await connector.charge(order, never), { kind: 'no_answer' })
      assert.deepEqual(await connector.fetchStatus(order, never), { kind: 'pending' })
      assert.deepEqual(await connector.withdraw(order, never), { kind: 'no_answer' })
    }
    letItDecide()
    assert.equal((await connector.fetchStatus(paid, never)).kind, 'charged')
    assert.equal((await connector.fetchStatus(notPaid, never)).kind, 'declined')
    assert.equal(await timesCharged(paid), 1)
    assert.equal(await timesCharged(notPaid), 0)
  })
}

function withdrawTests(under: () => UnderContract, orderWith: OrderWith): void {
  test('a withdrawn challenge can’t be approved', async () => {
    const { connector, cards, timesCharged } = under()
    const order = orderWith(cards.challenge)
    await connector.charge(order, never)
    const abandoned = { kind: 'declined', reason: 'challenge_abandoned' }
    assert.deepEqual(await connector.withdraw(order, never), abandoned)
    assert.deepEqual(await connector.continueAfterChallenge(order, 'approve', never), abandoned)
    assert.equal(await timesCharged(order), 0)
  })

  test('an order withdrawn before it arrives is refused', async () => {
    const { connector, cards, timesCharged } = under()
    const order = orderWith(cards.good)
    const neverCame = { kind: 'declined', reason: 'network_silent' }
    assert.deepEqual(await connector.withdraw(order, never), neverCame)
    assert.deepEqual(await connector.charge(order, never), neverCame)
    assert.equal(await timesCharged(order), 0)
  })

  test('withdrawing doesn’t undo a charge', async () => {
    const { connector, cards, timesCharged } = under()
    const order = orderWith(cards.good)
    const charged = await connector.charge(order, never)
    assert.deepEqual(await connector.withdraw(order, never), charged)
    assert.equal(await timesCharged(order), 1)
  })

  test('charging and withdrawing at once agree on one outcome', async () => {
    const { connector, cards, timesCharged } = under()
    for (let round = 0; round < 20; round += 1) {
      const order = orderWith(cards.good)
      const [charged, withdrawn] = await Promise.all([
        connector.charge(order, never),
        connector.withdraw(order, never),
      ])
      assert.deepEqual(charged, withdrawn)
      assert.equal(await timesCharged(order), charged.kind === 'charged' ? 1 : 0)
    }
  })
}

function makeOrder({ connector, merchantId }: UnderContract, card: CardDetails): Order {
  return {
    merchantId,
    paymentNumber: Array.from({ length: 24 }, () => randomInt(10)).join(''),
    idempotencyKey: randomUUID(),
    mode: connector.mode,
    amountMinor: 1_999n,
    currency: 'GBP',
    card,
  }
}
