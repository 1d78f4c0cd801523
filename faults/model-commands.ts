import assert from 'node:assert/strict'
import fc from 'fast-check'
import { call, post, type House } from '../test/support/house.ts'
import { paymentRequest } from '../test/support/payment-request.ts'
import { cards } from '../test/support/till.ts'
import type { Clock } from '../test/support/clock.ts'
import { makeTestNetwork } from '../src/core/test-network/network.ts'
import { makeLog } from '../src/platform/http/log.ts'
import { rollKey } from '../src/core/merchants/change-keys.ts'
import { orderKeyOf } from '../src/core/payments/attempts/record-outcome.ts'
import { makeStartAttempt } from '../src/core/payments/attempts/start-attempt.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import * as model from './model.ts'
import type { Model, ModelPayment } from './model.ts'

// What can happen, to the model and to a real house at once. A command says what it expects of the house.

export type Real = {
  house: House
  readonly clock: Clock
  key: { id: string; text: string }
  reopen(): Promise<House>
}

type Command = fc.AsyncCommand<Model, Real>

export function command(name: string, run: (m: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name }
}

/** One of the payments there are; the command does nothing while there is none. */
export function onOne(
  name: string,
  run: (payment: ModelPayment, real: Real, m: Model) => Promise<void>,
): fc.Arbitrary<Command> {
  return fc.nat(5).map((index) => ({
    check: (m) => m.payments.length > 0,
    async run(m, real) {
      const payment = m.payments[index % m.payments.length]
      if (!payment) return
      await run(payment, real, m)
      assert.equal(await statusOf(real, payment), payment.state, `${payment.txRef} after ${name}`)
    },
    toString: () => `${name} #${index}`,
  }))
}

async function statusOf(real: Real, { txRef }: ModelPayment): Promise<string> {
  const answer = await call(`${real.house.url}/api/transaction/${txRef}`, { key: real.key.text })
  assert.equal(answer.status, 200)
  return (answer.json.data as { status: string }).status
}

export function keyOf({ url }: ModelPayment) {
  const digits = url.slice(-32)
  return { merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }
}

const create = fc.boolean().map((withKey) =>
  command('create', async (m, real) => {
    const body = JSON.stringify(paymentRequest())
    const { tx_ref: txRef } = JSON.parse(body) as { tx_ref: string }
    const idempotencyKey = withKey ? `key of ${txRef}` : undefined
    const answer = await sendCreate(real, body, idempotencyKey)
    assert.equal(answer.status, 201)
    const { checkout_url: url } = answer.json.data as { checkout_url: string }
    const fresh = {
      state: 'pending',
      declined: 0,
      attempt: undefined,
      attempts: 0,
      refundedMinor: 0n,
    } as const
    m.payments.push({ txRef, url, body, idempotencyKey, ...fresh, openRefunds: [] })
  }),
)

async function sendCreate(real: Real, body: string, idempotencyKey: string | undefined) {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  return post(`${real.house.url}/api/payment`, body, real.key.text, headers)
}

const replay = onOne('create again', async ({ body, idempotencyKey, url }, real) => {
  const answer = await sendCreate(real, body, idempotencyKey)
  if (idempotencyKey === undefined) assert.equal(answer.json.code, 'tx_ref_taken')
  else assert.equal((answer.json.data as { checkout_url: string }).checkout_url, url)
})

function pay(name: string, card: keyof typeof cards) {
  return onOne(`pay with ${name}`, async (payment, real, m) => {
    const { kind } = await real.house.app.payer.pay({ ...keyOf(payment), mode: 'test' }, cards[card])
    if (payment.state !== 'pending') return assert.equal(kind, 'closed')
    // A page of the bank is closed before a card is charged; who paid there has paid.
    if (payment.attempt?.state === 'page') {
      model.leavePage(payment)
      if (hasEnded(payment)) return assert.notEqual(kind, 'paid')
    }
    if (payment.attempt) return assert.equal(kind, 'in_flight')
    if (model.isOutOfTime(m)) {
      payment.state = 'expired'
      return assert.equal(kind, 'closed')
    }
    payment.attempts += 1
    if (card === 'good') model.charged(payment)
    else if (card === 'declined') model.declined(payment)
    else if (card === 'challenge') payment.attempt = { state: 'challenge', sinceMs: m.nowMs }
    else payment.attempt = { state: 'unknown', sinceMs: m.nowMs, found: foundOf[card] as 'charged' }
    assert.equal(kind, shown[card])
  })
}

function hasEnded({ state }: ModelPayment): boolean {
  return state !== 'pending'
}

const shown: Readonly<Record<string, string>> = {
  good: 'paid',
  declined: 'declined',
  challenge: 'action_required',
  timeOutPaid: 'waiting',
  timeOutNotPaid: 'waiting',
}
const foundOf: Readonly<Record<string, model.ModelOutcome>> = {
  good: 'charged',
  declined: 'declined',
  challenge: 'challenge',
  timeOutPaid: 'charged',
  timeOutNotPaid: 'declined',
}

function answerWith(word: 'approve' | 'refuse') {
  return onOne(word, async (payment, real) => {
    const { attempt } = payment
    await real.house.app.payer.answerChallenge(keyOf(payment), Math.max(1, payment.attempts), word)
    if (attempt?.state !== 'challenge') return
    if (word === 'approve') model.charged(payment)
    else model.declined(payment)
  })
}

const giveUp = onOne('give up the challenge', async (payment, real) => {
  await real.house.app.payer.giveUpChallenge(keyOf(payment), Math.max(1, payment.attempts))
  if (payment.attempt?.state === 'challenge') payment.attempt = undefined
})

/** The server dies after its attempt is committed: before the network hears of it, or after. */
function dieWhilePaying(card: 'good' | 'declined' | 'challenge' | 'timeOutPaid' | undefined) {
  return onOne(`die while paying (${card ?? 'not sent'})`, async (payment, real, m) => {
    const { house, clock } = real
    const network = makeTestNetwork(house.db, clock.now)
    const startAttempt = makeStartAttempt({ ...house.app.paying, log: makeLog('silent') })
    const summary = { brand: 'Visa', last4: '4242' }
    const started = await startAttempt(keyOf(payment), network, summary)
    if (payment.state !== 'pending') return assert.equal(started.kind, 'closed')
    if (payment.attempt) return assert.equal(started.kind, 'in_flight')
    if (model.isOutOfTime(m)) {
      payment.state = 'expired'
      return assert.equal(started.kind, 'closed')
    }
    assert.ok(started.kind === 'started')
    payment.attempts += 1
    const { amount_minor: amountMinor, currency } = started.attempt
    if (card) {
      const order = {
        ...orderKeyOf(started.attempt),
        mode: 'test',
        amountMinor,
        currency,
        card: cards[card],
      } as const
      await network.charge(order, new AbortController().signal)
    }
    const found = card ? (foundOf[card] ?? 'not there') : 'not there'
    payment.attempt = { state: 'lost', sinceMs: m.nowMs, found }
  })
}

const cancel = onOne('cancel', async (payment, real) => {
  const { status } = await call(`${real.house.url}/api/transaction/${payment.txRef}/cancel`, {
    method: 'POST',
    key: real.key.text,
  })
  if (payment.attempt?.state === 'page') model.leavePage(payment)
  const allowed = payment.state === 'pending' && !payment.attempt
  assert.equal(status, allowed ? 200 : 409)
  if (allowed) payment.state = 'cancelled'
})

const otherMode = onOne('look up with a live key', async ({ txRef }, real) => {
  const { status } = await call(`${real.house.url}/api/transaction/${txRef}`, { key: real.house.liveKey })
  assert.equal(status, 404)
})

const expire = command('expire', async (m, real) => {
  model.expire(m)
  await runJob(real, 'expire')
})

const reconcile = command('reconcile', async (m, real) => {
  model.reconcile(m)
  await runJob(real, 'reconcile')
})

export async function runJob(real: Real, name: string): Promise<void> {
  const job = real.house.app.jobs.find((one) => one.name === name)
  while (((await job?.run()) ?? 0) > 0);
}

const timePasses = fc.constantFrom(10_000, 60_000, 1_200_000, 90_000_000).map((ms) =>
  command(`${ms / 1000} s pass`, async (m, real) => {
    m.nowMs += ms
    real.clock.jump(ms)
  }),
)

const roll = command('roll the key', async (_, real) => {
  const old = real.key.text
  const fresh = await rollKey(real.house.db, real.house.merchantId, real.key.id, 0)
  real.key = { id: fresh.id, text: fresh.key }
  await waitUntil('the old key is refused', async () => {
    return (await call(`${real.house.url}/api/transaction/none`, { key: old })).status === 401
  })
})

const restart = command('crash and restart', async (_, real) => {
  real.house = await real.reopen()
})

export const commands = [
  create,
  create,
  replay,
  pay('a good card', 'good'),
  pay('a declined card', 'declined'),
  pay('a challenge', 'challenge'),
  pay('a time-out that charges', 'timeOutPaid'),
  pay('a time-out that does not', 'timeOutNotPaid'),
  answerWith('approve'),
  answerWith('refuse'),
  giveUp,
  dieWhilePaying(undefined),
  dieWhilePaying('good'),
  dieWhilePaying('challenge'),
  dieWhilePaying('timeOutPaid'),
  cancel,
  otherMode,
  timePasses,
  timePasses,
  fc.constantFrom(expire, reconcile),
  fc.constant(reconcile),
  fc.constantFrom(roll, restart),
]
