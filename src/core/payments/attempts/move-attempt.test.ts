import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { byBank } from '../../../../test/support/hosted-choice.ts'
import { attemptByCard, readAttempt } from '../../../../test/support/scripted-networks.ts'
import { cards, hourMs, minuteMs, openTill, secondMs, type Till } from '../../../../test/support/till.ts'
import type { HostedConnector } from '../../networks/hosted.ts'
import { bySystem } from '../../audit/audit.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { PaymentKey } from '../store.ts'
import { expireJob } from './expire-payments.ts'
import { askAbout } from './hosted/ask-about.ts'
import { sendBackHeld } from './hosted/held.ts'
import { moveAttempt, type AttemptMove } from './move-attempt.ts'
import { reconcile } from './reconcile.ts'

// Operators count outcomes: each move that stands in a history is counted once, whichever way it came about.

let till: Till
before(async () => {
  till = await openTill()
})
afterEach(() => till.rewind())
after(() => till.close())

/** From the histories of all payments, in the words of `till.counted`. */
async function happened(): Promise<string[]> {
  const rows = await till.db.query<{ move: string }>(sql`
    select concat_ws(' ', mode, connector, to_state) as move
    from payment_history join payments using (merchant_id, number)
      left join attempts using (merchant_id, number, attempt)
    where payments.merchant_id = ${till.merchantId}`)
  return rows.map(({ move }) => move).toSorted()
}

async function reconcileAll(paying = till.paying): Promise<void> {
  while ((await reconcile(paying)) > 0);
}

/** The network calls about the first attempt. */
async function callback(key: PaymentKey): Promise<void> {
  const [attempt] = await till.attempts(key)
  assert.equal(await askAbout(till.paying, { ...key, idempotencyKey: attempt?.idempotency_key }), 'asked')
}

async function onBankPage(): Promise<Awaited<ReturnType<Till['newPayment']>>> {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  return key
}

/** An attempt that was given up while its page can still be paid on. */
async function givenUp(): ReturnType<typeof onBankPage> {
  const key = await onBankPage()
  till.forward(hourMs)
  const leaky: Partial<HostedConnector> = {
    withdraw: async () => ({ kind: 'declined', reason: 'challenge_abandoned' }),
    fetch: async () => ({ kind: 'not_found' }),
  }
  await reconcileAll(till.withBank(leaky))
  till.rewind()
  return key
}

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'a charge that is answered at once'() {
    await till.payer.pay(await till.newPayment(), cards.good)
  },
  async 'a decline'() {
    await till.payer.pay(await till.newPayment(), cards.declined)
  },
  async '3-D Secure: approved, refused, walked away from'() {
    const [approved, refused, left] = [
      await till.newPayment(),
      await till.newPayment(),
      await till.newPayment(),
    ]
    for (const key of [approved, refused, left]) await till.payer.pay(key, cards.challenge)
    await till.payer.answerChallenge(approved, 1, 'approve')
    await till.payer.answerChallenge(refused, 1, 'refuse')
    await till.payer.giveUpChallenge(left, 1)
  },
  async 'no answer, and then asking'() {
    for (const card of [cards.timeOutPaid, cards.timeOutNotPaid])
      await till.payer.pay(await till.newPayment(), card)
    till.forward(5 * minuteMs)
    await reconcileAll()
  },
  async 'a page of the network, and its callback'() {
    const key = await onBankPage()
    await till.onPage(key, 'pay')
    await callback(key)
  },
  async 'a page that nobody comes back from, and the end of the payment'() {
    await onBankPage()
    till.forward(48 * hourMs)
    await reconcileAll()
    await expireJob(till.paying).run()
  },
  async 'money after we gave up'() {
    const key = await givenUp()
    await till.onPage(key, 'pay')
    await callback(key)
  },
  async 'money twice, which goes back by itself'() {
    const key = await givenUp()
    await till.payer.pay(key, cards.good)
    await till.onPage(key, 'pay')
    await callback(key)
    await reconcileAll()
  },
  async 'another amount, sent back by a person'() {
    const key = await onBankPage()
    await till.onPage(key, 'pay')
    till.forward(31 * secondMs)
    await reconcileAll(
      till.withBank({
        async fetch(...asked) {
          const status = await till.bank.fetch(...asked)
          const money = { amountMinor: 1n, currency: 'GBP' }
          return status.kind === 'charged' ? { ...status, money } : status
        },
      }),
    )
    assert.equal(
      await sendBackHeld(till.paying, { key: { ...key, attempt: 1 }, by: bySystem, at: till.paying.now() }),
      true,
    )
  },
}

for (const [way, run] of Object.entries(ways)) {
  test(`each move is counted: ${way}`, async () => {
    const earlier = await happened()
    await run()
    const moves = await happened()
    assert.ok(moves.length > earlier.length, 'something moved')
    assert.deepEqual([...till.counted()].toSorted(), moves)
  })
}

test('these transitions together lead to every state an attempt can reach', async () => {
  // Those of a payment have two words.
  const states = (await happened()).flatMap((move) => move.split(' ')[2] ?? [])
  assert.deepEqual(
    [...new Set(states.toSorted())],
    [
      'abandoned',
      'action_required',
      'declined',
      'held',
      'returned',
      'submitted',
      'succeeded',
      'surplus',
      'unknown',
    ],
  )
})

/** Moves an attempt that was started from a known address; returns its row, and where it is known to have come from. */
async function moved(state: string, move: Pick<AttemptMove, 'event'> & Partial<AttemptMove>) {
  const trace = { address_hash: 'adr', card_fingerprint: 'crd' }
  const attempt = await attemptByCard(till, { state, checks: 3, ...trace })
  const isMoved = await inTransaction(till.db, async (tx) =>
    moveAttempt(till.paying, tx, { before: attempt, mode: 'test', at: till.paying.now(), ...move }),
  )
  const { merchant_id, number } = attempt
  const [traces] = await till.db.query<{ kept: string[] }>(sql`
    select array_remove(array[address_hash, card_fingerprint], null) as kept from attempts
    where merchant_id = ${merchant_id} and number = ${number} and attempt = 1`)
  return { before: attempt, isMoved: isMoved !== undefined, row: await readAttempt(till, attempt), ...traces }
}

test('a move records its facts, and a finished attempt’s origin is erased', async () => {
  const at = till.paying.now()
  const inMs = (ms: number): Date => new Date(at.getTime() + ms)
  const charged = { amountMinor: 7n, currency: 'EUR' }
  const paid = { connectorReference: 'tn_1', chargeReference: 'ch_1', charged }
  const ofPaid = { connector_reference: 'tn_1', charge_reference: 'ch_1', charged_minor: 7n }
  const page = { connectorReference: 'tb_1', pageUrl: 'https://bank.example/1' }
  const ofPage = { connector_reference: 'tb_1', page_url: 'https://bank.example/1' }
  for (const [move, state, facts, next] of [
    [{ event: 'charged', ...paid }, 'succeeded', { ...ofPaid, charged_currency: 'EUR' }, null],
    [{ event: 'refused', declineReason: 'wrong_cvc' }, 'declined', { decline_reason: 'wrong_cvc' }, null],
    [{ event: 'no_answer' }, 'unknown', {}, inMs(5 * secondMs)],
    [{ event: 'needs_action', ...page }, 'action_required', ofPage, inMs(15 * minuteMs)],
    [{ event: 'needs_action', ...page, checkAt: inMs(1) }, 'action_required', ofPage, inMs(1)],
  ] as const) {
    const { before: attempt, isMoved, row, kept } = await moved('started', move)
    const { next_check_at, updated_at, ...rest } = row
    const { next_check_at: _, updated_at: __, ...unmoved } = attempt
    assert.deepEqual([isMoved, rest], [true, { ...unmoved, state, checks: 0, ...facts }])
    assert.deepEqual([next_check_at && new Date(next_check_at), new Date(updated_at)], [next, at])
    assert.deepEqual(kept, next === null ? [] : ['adr', 'crd'])
  }
  const { before: attempt, isMoved, row, kept } = await moved('succeeded', { event: 'refused' })
  assert.deepEqual([isMoved, row, kept], [false, attempt, ['adr', 'crd']])
})
