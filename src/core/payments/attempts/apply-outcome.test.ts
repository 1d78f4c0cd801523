import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptRow, insertRows, type Values } from '../../../../test/support/rows.ts'
import {
  attemptByCard,
  attemptOnPage,
  openDesk,
  readAttempt,
} from '../../../../test/support/scripted-networks.ts'
import { openTill, cards, hourMs, type Till } from '../../../../test/support/till.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { countWaiting } from '../../../../test/support/who-waits.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { makeApplyOutcome } from './apply-outcome.ts'
import { attemptKey, listAttempts, lockWithPayments, type AttemptRow } from './attempt-store.ts'
import { moveAttempt } from './move-attempt.ts'
import type { NetworkOutcome } from './network-word.ts'
import { listHistory } from '../history-store.ts'
import { transition } from '../transition.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('an outcome that waited for another sees the attempt as that one left it', async () => {
  const payment = await till.newPayment()
  await till.payer.pay(payment, cards.challenge)
  const key = { ...payment, attempt: 1 }
  const charged = { kind: 'charged', connectorReference: 'tn_1' } as const

  const second = await inTransaction(till.db, async (tx) => {
    const { payments, attempts } = await lockWithPayments(tx, key.merchantId, [key])
    const [locked] = payments.values()
    const [attempt] = attempts.values()
    assert.ok(locked && attempt)
    const late = till.paying.applyOutcome(key, charged)
    await waitUntil('the second outcome waits', async () => (await countWaiting(till.db)) > 0)
    await moveAttempt(till.paying, tx, {
      before: attempt,
      mode: 'test',
      event: 'charged',
      at: till.paying.now(),
    })
    await transition(till.paying, tx, locked, 'paid')
    // Not awaited before this commit, which it waits for.
    return { late }
  })

  assert.equal((await second.late).state, 'succeeded')
  const events = (await listHistory(till.db, payment)).map(({ event }) => event)
  assert.deepEqual(events, ['needs_action', 'charged', 'paid'])
})

test('an outcome without an attempt fails alone, even in a batch', async () => {
  const charged = { kind: 'charged', connectorReference: 'tn_2' } as const
  const payments = [await till.newPayment(), await till.newPayment(), await till.newPayment()]
  for (const payment of payments) await till.payer.pay(payment, cards.challenge)
  // The first is on its way alone; those that come meanwhile share what follows.
  const numbers = payments.map(({ number }) => number)
  const results = await Promise.allSettled(
    [...numbers, '0'.repeat(24), ...numbers].map(async (number) =>
      till.paying.applyOutcome({ merchantId: till.merchantId, number, attempt: 1 }, charged),
    ),
  )
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.state : String(result.reason))),
    [
      ...payments.map(() => 'succeeded'),
      'Error: Got an outcome for an attempt that does not exist',
      ...payments.map(() => 'succeeded'),
    ],
  )
})

const keyOf = ({ merchant_id, number }: AttemptRow) => ({ merchantId: merchant_id, number })
const charged: NetworkOutcome = { kind: 'charged', connectorReference: 'tb_1', chargeReference: 'ch_1' }
const refused: NetworkOutcome = { kind: 'declined', reason: 'insufficient_funds' }
const walkedAway: NetworkOutcome = { kind: 'declined', reason: 'challenge_abandoned' }

/** Further attempts of the payment, one for each state, after the first. */
async function addAttempts({ merchant_id, number }: AttemptRow, states: readonly string[]): Promise<void> {
  const rows = states.map((state, index) => attemptRow({ merchant_id, number, attempt: index + 2, state }))
  await insertRows(till.db, 'attempts', rows)
}

test('the tenth decline ends an open payment, and so does the hundredth attempt, however it ended', async () => {
  const rows: [attempt: number, declined: number, word: NetworkOutcome, ends: string, begins?: string][] = [
    [9, 8, refused, 'pending'],
    [10, 9, refused, 'failed'],
    [10, 9, walkedAway, 'pending'],
    [11, 9, refused, 'failed'],
    [99, 8, refused, 'pending'],
    [99, 0, walkedAway, 'pending'],
    [100, 0, walkedAway, 'failed'],
    [100, 0, refused, 'failed'],
    [100, 0, { kind: 'pending' }, 'pending'],
    [11, 10, { kind: 'no_answer' }, 'pending'],
    [10, 9, refused, 'cancelled', 'cancelled'],
    [1, 0, charged, 'success', 'cancelled'],
  ]
  for (const [number, declined, word, ends, state = 'pending'] of rows) {
    const attempt = await attemptByCard(till, { attempt: number }, { state })
    const earlier = Array.from({ length: declined }, (_, index) =>
      attemptRow({
        ...attempt,
        idempotency_key: `${attempt.number}/${index}`,
        attempt: index + 1,
        state: 'declined',
      }),
    )
    await insertRows(till.db, 'attempts', earlier)
    await till.paying.applyOutcome(attemptKey(attempt), word)
    assert.equal((await till.read(keyOf(attempt))).state, ends, `${number} ${declined} ${word.kind}`)
  }
})

test('a paid payment records when and how it was paid, a failed one why its last attempt was declined', async () => {
  const card = { card_brand: 'Visa', card_last4: '4242' }
  const byCard = await attemptByCard(till, card)
  await till.paying.applyOutcome(attemptKey(byCard), charged)
  const paid = await till.read(keyOf(byCard))
  assert.deepEqual(JSON.parse(paid.paid_with ?? ''), {
    kind: 'card',
    network: byCard.connector,
    brand: 'Visa',
    last4: '4242',
  })
  assert.deepEqual([paid.paid_at, paid.failure_reason], [paid.updated_at, null])

  const byBank = await attemptOnPage(till, { method: 'bank' })
  await till.paying.applyOutcome(attemptKey(byBank), {
    ...charged,
    money: { amountMinor: 1_000n, currency: 'GBP' },
  })
  const { paid_with } = await till.read(keyOf(byBank))
  const bank = { kind: 'bank', network: byBank.connector, brand: null, last4: null }
  assert.deepEqual(JSON.parse(paid_with ?? ''), bank)

  for (const [word, why] of [
    [refused, 'insufficient_funds'],
    [walkedAway, 'challenge_abandoned'],
  ] as const) {
    const last = await attemptByCard(till, { ...card, attempt: 100 })
    await till.paying.applyOutcome(attemptKey(last), word)
    const failed = await till.read(keyOf(last))
    assert.deepEqual([failed.failure_reason, failed.paid_at, failed.paid_with], [why, null, null])
  }
})

test('a decline after a charge is reported to a person, other repeats aren’t', async () => {
  const rows: [state: string, word: NetworkOutcome, lines: number][] = [
    ['succeeded', refused, 1],
    ['succeeded', charged, 0],
    ['succeeded', { kind: 'no_answer' }, 0],
    ['declined', refused, 0],
    ['abandoned', { kind: 'no_answer' }, 0],
    ['action_required', refused, 0],
  ]
  const sentence = 'A network contradicts its earlier answer; check it by hand'
  for (const [state, word, lines] of rows) {
    const { paying, log } = openDesk(till, {})
    const attempt = await attemptByCard(till, { state, decline_reason: 'wrong_cvc' })
    const answer = await makeApplyOutcome(paying)(attemptKey(attempt), word)
    assert.deepEqual(
      log(),
      Array.from({ length: lines }, () => ['error', sentence]),
      `${state} ${word.kind}`,
    )
    const { merchant_id, number, connector, state: now, ...more } = await readAttempt(till, attempt)
    const { decline_reason, charge_reference } = more
    const facts = { decline_reason, charge_reference }
    assert.deepEqual(answer, { merchant_id, number, attempt: 1, connector, state: now, ...facts })
    assert.equal(now, state === 'action_required' ? 'declined' : state)
  }
})

test('unexpected money is reported, and attempts in flight beside late money are checked now', async () => {
  const odd = { amountMinor: 1n, currency: 'GBP' }
  const soon = new Date(till.paying.now().getTime() + hourMs)
  const inFlight = { attempt: 2, state: 'unknown', next_check_at: soon }
  const rows: [Values, Values, NetworkOutcome, string, string[], Values?][] = [
    [{ state: 'unknown' }, {}, charged, 'succeeded', []],
    [{ state: 'unknown' }, {}, { ...charged, money: odd }, 'held', ['held']],
    [{ state: 'abandoned' }, {}, charged, 'succeeded', ['late'], inFlight],
    [{ state: 'declined' }, { state: 'success' }, charged, 'surplus', ['surplus'], inFlight],
    [{ state: 'unknown' }, {}, refused, 'declined', []],
  ]
  for (const [ofAttempt, ofPayment, word, state, expected, beside] of rows) {
    const attempt = await attemptOnPage(till, ofAttempt, ofPayment)
    const { merchant_id, number } = attempt
    if (beside) await insertRows(till.db, 'attempts', [attemptRow({ merchant_id, number, ...beside })])
    const troubles: string[] = []
    const metrics = { ...till.paying.metrics, trouble: (kind: string) => void troubles.push(kind) }
    const answer = await makeApplyOutcome({ ...till.paying, metrics })(attemptKey(attempt), word)
    assert.deepEqual([answer.state, troubles], [state, expected])
    const other = beside && (await readAttempt(till, { ...attempt, attempt: 2 }))
    const isHurried = expected.includes('late')
    if (other)
      assert.deepEqual(new Date(other.next_check_at ?? 0), isHurried ? till.paying.now() : soon, state)
  }
})

/** Outcomes that arrive in one turn, and in how many transactions something was said of them. */
async function applyTogether(words: readonly (readonly [AttemptRow, NetworkOutcome])[]) {
  const transactions = new Set<Transaction>()
  const { outbox } = till.paying
  const counting: typeof outbox = {
    ...outbox,
    async write(tx, deliveries) {
      transactions.add(tx)
      return outbox.write(tx, deliveries)
    },
  }
  const apply = makeApplyOutcome({ ...till.paying, outbox: counting })
  const applied = await Promise.all(words.map(async ([attempt, word]) => apply(attemptKey(attempt), word)))
  return { states: applied.map(({ state }) => state), commits: transactions.size }
}

test('simultaneous outcomes of one payment are applied in turn, in one commit', async () => {
  const first = await attemptOnPage(till, { state: 'abandoned' })
  await addAttempts(first, ['action_required', 'declined'])
  const [, second, third] = await listAttempts(till.db, keyOf(first))
  const other = await attemptOnPage(till)
  assert.ok(second && third)
  const { states, commits } = await applyTogether([
    [first, charged],
    [second, charged],
    [other, { kind: 'pending' }],
    [third, charged],
    [other, { kind: 'no_answer' }],
    [other, charged],
    [other, refused],
  ])
  assert.deepEqual(states, [
    'succeeded',
    'surplus',
    'submitted',
    'surplus',
    'unknown',
    'succeeded',
    'succeeded',
  ])
  assert.equal(commits, 1)
  assert.equal((await till.read(keyOf(first))).state, 'success')
  const events = (await listHistory(till.db, keyOf(other))).map(({ event }) => event)
  assert.deepEqual(events, ['sent_on', 'no_answer', 'charged', 'paid'])
})

test('a receipt says what the customer paid with', async () => {
  const onPage = await attemptOnPage(till, { method: 'bank' }, { mode: 'live' })
  const card = { card_brand: 'Visa', card_last4: '4242' }
  const byCard = await attemptByCard(till, card, { mode: 'live' })
  for (const [attempt, paidWith] of [
    [onPage, { network: 'test-bank', method: 'bank', card: null }],
    [byCard, { network: 'test-network', method: null, card: { brand: 'Visa', last4: '4242' } }],
  ] as const) {
    await till.paying.applyOutcome(attemptKey(attempt), charged)
    const mails = await till.db.query<{ body: string }>(sql`
      select body from deliveries
      where merchant_id = ${till.merchantId} and number = ${attempt.number} and kind = 'mail' and target <> 'merchant'`)
    assert.deepEqual(
      mails.map(({ body }) => (JSON.parse(body) as Values)['paidWith']),
      [paidWith],
    )
  }
})
