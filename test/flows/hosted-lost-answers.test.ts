import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import { readPages } from '../support/networks/test-bank-records.ts'
import { askAbout } from '../../src/core/payments/attempts/hosted/ask-about.ts'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import type { PaymentKey } from '../../src/core/payments/store.ts'
import { byBank } from '../support/hosted-choice.ts'
import { cards, hourMs, minuteMs, openTill, secondMs, type Till } from '../support/till.ts'

// Answers of a network with a page of its own get lost, and servers die between a call and its answer.

let till: Till
before(async () => {
  till = await openTill()
})
afterEach(() => till.rewind())
after(() => till.close())

const silent = async (): Promise<never> => Promise.reject(new Error('connection reset'))

async function lastState(key: PaymentKey): Promise<string | undefined> {
  return (await till.attempts(key)).at(-1)?.state
}

/** A bank whose answers to a verb get lost `times` times after it did what it was asked to. */
function losing(verb: 'open' | 'withdraw', times: number): Partial<HostedConnector> {
  let left = times
  const lose = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const heard = await answer
    left -= 1
    return left >= 0 ? silent() : heard
  }
  const { bank } = till
  return verb === 'open'
    ? { open: async (...asked) => lose(bank.open(...asked)) }
    : { withdraw: async (...asked) => lose(bank.withdraw(...asked)) }
}

test('a lost answer to opening is requested again with the same key, and there is one page', async () => {
  const key = await till.newPayment()
  const payer = makePayer(till.withBank(losing('open', 1)))
  assert.deepEqual(await payer.choose(key, byBank, 'en'), { kind: 'action_required' })
  assert.equal((await readPages(till.db, key)).length, 1)
  assert.equal((await till.attempts(key)).length, 1)
})

test('a network that doesn’t answer leaves the customer free to choose another method at once', async () => {
  const key = await till.newPayment()
  const payer = makePayer(till.withBank({ open: silent }))
  const result = await payer.choose(key, byBank, 'en')
  assert.deepEqual(result, { kind: 'declined', reason: 'processing_error' })
  assert.equal(await lastState(key), 'abandoned')
  assert.deepEqual(await payer.pay(key, cards.good), { kind: 'paid' })
})

test('a network that refuses to open a page is logged, and doesn’t use up the ten tries', async () => {
  const key = await till.newPayment()
  const payer = makePayer(
    till.withBank({ open: async () => ({ kind: 'refused', why: 'account not activated' }) }),
  )
  for (let round = 0; round < 12; round += 1) await payer.choose(key, byBank, 'en')
  assert.equal((await till.read(key)).state, 'pending')
  assert.match(till.log(), /account not activated/)
})

test('no customer is sent to an invalid URL', async () => {
  const key = await till.newPayment()
  for (const url of ['javascript:alert(1)', 'not a url', 'data:text/html,x']) {
    const open = async () => ({ kind: 'open' as const, connectorReference: 'x', url })
    const result = await makePayer(till.withBank({ open })).choose(key, byBank, 'en')
    assert.deepEqual(result, { kind: 'declined', reason: 'processing_error' })
  }
  assert.ok((await till.attempts(key)).every(({ page_url }) => page_url === null))
})

/** The attempt is committed, and the server dies before it called, or before it heard. */
async function serverDies(key: PaymentKey, called: boolean): Promise<void> {
  const started = await till.paying.startAttempt(key, till.bank, byBank, 'en')
  assert.equal(started.kind, 'started')
  if (!called) return
  const { attempt } = started
  await till.bank.open(
    { id: byBank.accountId, credentials: {}, sandbox: true },
    {
      merchantId: key.merchantId,
      paymentNumber: key.number,
      idempotencyKey: attempt.idempotency_key,
      startedAt: new Date(attempt.started_at),
      mode: 'test',
      amountMinor: attempt.amount_minor,
      currency: attempt.currency,
      method: 'bank',
    },
    {
      description: '',
      merchantName: '',
      txRef: '',
      email: '',
      firstName: '',
      lastName: '',
      language: 'en',
      returnUrl: 'http://127.0.0.1:3000/',
      cancelUrl: 'http://127.0.0.1:3000/',
      expiresAt: new Date(till.paying.now().getTime() + hourMs),
    },
    AbortSignal.any([]),
  )
}

test('a server that dies while opening leaves a page that the customer reaches half a minute later', async () => {
  for (const called of [false, true]) {
    const key = await till.newPayment()
    await serverDies(key, called)
    till.forward(31 * secondMs)
    await reconcile(till.paying)
    assert.equal(await lastState(key), 'action_required')
    assert.equal((await readPages(till.db, key)).length, 1)
    await till.onPage(key, 'pay')
    await till.payer.lookAgain(key, 'from_the_page')
    assert.equal((await till.read(key)).state, 'success')
  }
})

test('a server that died while opening leaves nothing to pay on once the page would have ended', async () => {
  for (const called of [false, true]) {
    const key = await till.newPayment()
    await serverDies(key, called)
    till.forward(2 * hourMs)
    await reconcile(till.paying)
    assert.equal(await lastState(key), 'abandoned')
    assert.equal(await till.onPage(key, 'pay'), false)
    till.rewind()
  }
})

test('a dead server and an unavailable network don’t keep the customer from paying another way', async () => {
  const key = await till.newPayment()
  await serverDies(key, false)
  till.forward(31 * secondMs)
  await reconcile(till.withBank({ open: silent }))
  assert.equal(await lastState(key), 'abandoned')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
})

test('after a lost answer to withdrawing, no second attempt starts until the network says the page is closed', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  const payer = makePayer(till.withBank({ withdraw: silent }))
  assert.deepEqual(await payer.pay(key, cards.good), { kind: 'in_flight' })
  assert.equal(await lastState(key), 'unknown')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'in_flight' })
  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal(await lastState(key), 'abandoned', 'nobody declined anything')
  assert.equal(await till.onPage(key, 'pay'), false)
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.equal(await till.timesCharged(key), 1)
})

test('money that arrived while the answer to withdrawing was lost is found', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  await makePayer(till.withBank(losing('withdraw', 1))).pay(key, cards.good)
  assert.equal(await lastState(key), 'unknown')
  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'success')
  assert.equal(await till.timesCharged(key), 1)
})

test('a page the network still reports as open after withdrawing doesn’t count as closed', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  const open = { kind: 'open', connectorReference: 'x' } as const
  const payer = makePayer(till.withBank({ withdraw: async () => open }))
  assert.deepEqual(await payer.pay(key, cards.good), { kind: 'in_flight' })
  assert.equal(await lastState(key), 'unknown')
})

test('a network unavailable while a page is open is asked again, and nothing is given up', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  const away = till.withBank({ fetch: silent, withdraw: silent })
  await makePayer(away).lookAgain(key, 'from_the_page')
  for (let round = 0; round < 5; round += 1) {
    till.forward(20 * minuteMs)
    await reconcile(away)
  }
  assert.equal(await lastState(key), 'action_required')
  till.forward(31 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'success')
})

test('a callback only triggers a look-up: by key, reference or number, and foreign ones aren’t found', async () => {
  const { merchantId } = till
  for (const name of ['idempotencyKey', 'connectorReference', 'number'] as const) {
    const key = await till.newPayment()
    await till.payer.choose(key, byBank, 'en')
    const [attempt] = await till.attempts(key)
    assert.ok(attempt?.connector_reference)
    const names = {
      idempotencyKey: attempt.idempotency_key,
      connectorReference: attempt.connector_reference,
      number: key.number,
    }
    assert.equal(await askAbout(till.paying, { merchantId, [name]: names[name] }), 'asked')
    assert.equal((await till.read(key)).state, 'pending', 'a hint is no payment')
    await till.onPage(key, 'pay')
    assert.equal(
      await askAbout(till.paying, { merchantId: merchantId + 1, [name]: names[name] }),
      'not_found',
    )
    const deaf = till.withBank({ fetch: silent })
    assert.equal(await askAbout(deaf, { merchantId, [name]: names[name] }), 'no_answer')
    assert.equal(await askAbout(till.paying, { merchantId, [name]: names[name] }), 'asked')
    assert.equal((await till.read(key)).state, 'success')
    assert.equal(await askAbout(till.paying, { merchantId, [name]: names[name] }), 'asked')
  }
  assert.equal(await askAbout(till.paying, { merchantId }), 'not_found')
  const byCard = await till.newPayment()
  await till.payer.pay(byCard, cards.challenge)
  assert.equal(await askAbout(till.paying, byCard), 'not_found')
})
