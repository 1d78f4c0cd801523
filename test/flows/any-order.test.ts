import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makePayer, type Payable } from '../../src/core/payments/attempts/pay.ts'
import type { Paying } from '../../src/core/payments/attempts/paying.ts'
import { expirePayments } from '../../src/core/payments/attempts/expire-payments.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { nextAttemptState, nextPaymentState } from '../../src/core/payments/state-machine.ts'
import type {
  AttemptEvent,
  AttemptState,
  PaymentEvent,
  PaymentState,
} from '../../src/core/payments/state-machine.ts'
import { listHistory } from '../../src/core/payments/history-store.ts'
import { cards, hourMs, minuteMs, openTill, secondMs, type Till } from '../support/till.ts'

// Customers, merchants, workers and a network that loses answers, in any order and at once; then the faults stop,
// a minute passes for the reconcilers, and the promises must hold.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const steps = [
  'pay',
  'pay with a challenge',
  'pay with a declined card',
  'pay, found paid later',
  'pay, found not paid later',
  'pay, and the answer is lost',
  'pay, and the order is lost',
  'approve',
  'refuse',
  'approve, and the answer is lost',
  'give up',
  'cancel as customer',
  'cancel as merchant',
  'reconcile',
  'reconcile without a network',
  'expire early',
  'seconds pass',
  'half an hour passes',
] as const
type Step = (typeof steps)[number]

const anyStory = fc.array(fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
})

test('in any order of events there is at most one charge, and success exactly when there is one', async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      till.rewind()
      const key = await till.newPayment()
      for (const atOnce of story) await Promise.all(atOnce.map((step) => act(step, key)))
      await settleAll()
      await promisesHold(key)
    }),
    { numRuns: 40 },
  )
})

async function act(step: Step, key: Payable): Promise<void> {
  const attempt = (await till.attempts(key)).at(-1)?.attempt ?? 1
  const { payer, network } = till
  const lost = async (): Promise<never> => Promise.reject(new Error('lost'))
  const answerLost = payerOf({
    charge: async (order, signal) => network.charge(order, signal).then(lost),
    continueAfterChallenge: async (order, answer, signal) =>
      network.continueAfterChallenge(order, answer, signal).then(lost),
  })
  const acts: Readonly<Record<Step, () => unknown>> = {
    pay: () => payer.pay(key, cards.good),
    'pay with a challenge': () => payer.pay(key, cards.challenge),
    'pay with a declined card': () => payer.pay(key, cards.declined),
    'pay, found paid later': () => payer.pay(key, cards.timeOutPaid),
    'pay, found not paid later': () => payer.pay(key, cards.timeOutNotPaid),
    'pay, and the answer is lost': () => answerLost.pay(key, cards.good),
    'pay, and the order is lost': () => payerOf({ charge: lost }).pay(key, cards.good),
    approve: () => payer.answerChallenge(key, attempt, 'approve'),
    refuse: () => payer.answerChallenge(key, attempt, 'refuse'),
    'approve, and the answer is lost': () => answerLost.answerChallenge(key, attempt, 'approve'),
    'give up': () => payer.giveUpChallenge(key, attempt),
    'cancel as customer': () => payer.cancel(key, 'customer').catch(isRefusal),
    'cancel as merchant': () => payer.cancel(key, bySystem).catch(isRefusal),
    reconcile: () => reconcile(till.paying),
    'reconcile without a network': () => reconcile(till.with({ fetchStatus: lost, withdraw: lost })),
    'expire early': () => expirePayments(aDayAhead()),
    'seconds pass': () => till.forward(6 * secondMs),
    'half an hour passes': () => till.forward(30 * minuteMs),
  }
  await acts[step]()
}

function payerOf(changes: Parameters<Till['with']>[0]) {
  return makePayer(till.with(changes))
}

function aDayAhead(): Paying {
  return { ...till.paying, now: () => new Date(till.paying.now().getTime() + 25 * hourMs) }
}

function isRefusal(error: unknown): void {
  assert.equal((error as { code?: string }).code, 'not_cancellable')
}

/** A minute of workers; a challenge that is open may stay so for its quarter of an hour. */
async function settleAll(): Promise<void> {
  for (let passed = 0; passed < minuteMs; passed += 5 * secondMs) {
    till.forward(5 * secondMs)
    while ((await reconcile(till.paying)) > 0);
  }
}

async function promisesHold(key: Payable): Promise<void> {
  const [payment, attempts, charged] = [
    await till.read(key),
    await till.attempts(key),
    await till.timesCharged(key),
  ]
  assert.ok(charged <= 1, 'charged more than once')
  assert.equal(payment.state === 'success', charged === 1, `${payment.state}, charged ${charged} times`)
  for (const { state } of attempts) {
    assert.ok(!['started', 'submitted', 'unknown'].includes(state), `still ${state} after a minute`)
  }
  assert.ok(attempts.filter(({ state }) => state === 'succeeded').length === charged)

  for (const row of await listHistory(till.db, key)) {
    const allowed =
      row.attempt === null
        ? nextPaymentState(row.from_state as PaymentState, row.event as PaymentEvent)
        : nextAttemptState(row.from_state as AttemptState, row.event as AttemptEvent)
    assert.equal(row.to_state, allowed)
  }
}
