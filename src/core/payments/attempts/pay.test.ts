import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { byBank } from '../../../../test/support/hosted-choice.ts'
import { cardOf, cards, openTill, type Till } from '../../../../test/support/till.ts'
import type { CardTesting } from '../card-testing/card-testing.ts'
import type { Started } from './start-attempt.ts'
import { makePayer, type Payer } from './pay.ts'
import type { Paying } from './paying.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const asker = { address: '192.0.2.1' }

/** A payer behind a line of one's own, and what became known there of each who went through. */
function payerInLine(changes: Partial<Paying> = {}, isFull = false): { payer: Payer; known: string[] } {
  const known: string[] = []
  const cardTesting: CardTesting = {
    limits: { freeDeclines: 5, attackDeclines: 20, attackPercent: 80 },
    marks: {
      address: async (merchantId, address) => `${merchantId} ${address}`,
      card: async (merchantId, number) => `${merchantId} ${number.slice(-4)}`,
      sign: async (text) => text,
    },
    proofs: {
      give: async () => ({ token: '', bits: 0 }),
      check: async () => ({ kind: 'unknown' }),
    },
    line: {
      async enter(names) {
        known.push(`came as ${names.join(' and ').replaceAll(String(till.merchantId), 'shop')}`)
        return isFull ? undefined : (end) => void known.push(`left as ${end}`)
      },
    },
    metrics: { refused: (reason) => void known.push(`refused for ${reason}`), attacked: () => {} },
  }
  return { payer: makePayer({ ...till.paying, cardTesting, ...changes }), known }
}

const came = (last4: string): string => `came as shop 192.0.2.1 and shop ${last4}`

test('a full queue makes the customer wait five seconds, and starts nothing', async () => {
  const { payer, known } = payerInLine({}, true)
  const payment = await till.newPayment()
  const until = new Date(till.paying.now().getTime() + 5_000)
  assert.deepEqual(await payer.pay(payment, cards.good, 'en', asker), { kind: 'wait', until })
  assert.deepEqual([await till.attempts(payment), known], [[], [came('4242')]])
})

test('the queue learns how each attempt ended, even a failed one', async () => {
  for (const [card, kind, end] of [
    [cards.good, 'paid', 'paid'],
    [cards.declined, 'declined', 'declined'],
    [cards.challenge, 'action_required', 'open'],
  ] as const) {
    const { payer, known } = payerInLine()
    const result = await payer.pay(await till.newPayment(), card, 'en', asker)
    assert.equal(result.kind, kind)
    assert.deepEqual(known, [came(card.number.slice(-4)), `left as ${end}`])
  }
  const { payer, known } = payerInLine({
    startAttempt: async () => {
      throw new Error('No database')
    },
  })
  await assert.rejects(payer.pay(await till.newPayment(), cards.good, 'en', asker), /No database/)
  assert.deepEqual(known, [came('4242'), 'left as open'])
})

test('a postponed attempt is counted by what was required', async () => {
  const until = till.paying.now()
  const rows: [Started, string[]][] = [
    [{ kind: 'wait', until }, ['refused for wait']],
    [{ kind: 'proof_needed' }, ['refused for proof']],
    [{ kind: 'closed' }, []],
  ]
  for (const [started, refused] of rows) {
    const { payer, known } = payerInLine({ startAttempt: async () => started })
    assert.deepEqual(await payer.pay(await till.newPayment(), cards.good, 'en', asker), started)
    assert.deepEqual(known, [came('4242'), 'left as open', ...refused])
  }
})

test('only attempts with an address, a valid card, an active shop and a network enter the queue', async () => {
  const { payer, known } = payerInLine()
  const payment = await till.newPayment()
  assert.deepEqual(await payer.pay(payment, cards.good), { kind: 'paid' })
  assert.deepEqual(await payer.pay(payment, cardOf('4242 4242 4242 4241'), 'en', asker), {
    kind: 'refused_card',
  })
  const live = await till.newPayment('live')
  assert.deepEqual(await payer.pay(live, cards.good, 'en', asker), { kind: 'unavailable' })
  const suspended = makePayer({ ...till.paying, isSuspended: async () => true })
  assert.deepEqual(await suspended.pay(await till.newPayment(), cards.good), { kind: 'unavailable' })
  assert.deepEqual([await till.attempts(live), known], [[], []])
})

test('a double click finds the first attempt and never charges twice', async () => {
  const payment = await till.newPayment()
  assert.deepEqual(await till.payer.pay(payment, cards.challenge), { kind: 'action_required' })
  assert.deepEqual(await till.payer.pay(payment, cards.good), { kind: 'in_flight' })
  assert.equal(await till.timesCharged(payment), 0)
})

test('a customer who opened a network’s page and then pays by card leaves the page and is charged once', async () => {
  const payment = await till.newPayment()
  assert.deepEqual(await till.payer.choose(payment, byBank, 'en'), { kind: 'action_required' })
  assert.deepEqual(await till.payer.pay(payment, cards.good), { kind: 'paid' })
  assert.equal(await till.onPage(payment, 'pay'), false)
  const states = (await till.attempts(payment)).map(({ state }) => state)
  assert.deepEqual([states, await till.timesCharged(payment)], [['abandoned', 'succeeded'], 1])
})

test('a network goes by its public name, or its own if it has no page', async () => {
  assert.deepEqual(
    [till.bank.name, till.network.name, 'gone'].map((name) => till.payer.labelOf(name)),
    [till.bank.label, till.network.name, 'gone'],
  )
  assert.equal(await till.payer.isSandbox(till.merchantId, 'acc_gone'), false)
})
