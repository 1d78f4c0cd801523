import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../test/support/rows.ts'
import {
  attemptByCard,
  attemptOnPage,
  openCardDesk,
  openDesk,
  readAttempt,
  type CardAnswers,
  type Desk,
} from '../../../../test/support/scripted-networks.ts'
import { dayMs, openTill, secondMs, type Till } from '../../../../test/support/till.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { AttemptRow } from './attempt-store.ts'
import type { NetworkOutcome } from './network-word.ts'
import { reconcile, reconcileJob } from './reconcile.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const ahead = (ms: number): Date => new Date(till.paying.now().getTime() + ms)

async function looksAndSeconds(attempt: AttemptRow): Promise<unknown[]> {
  const { checks, next_check_at } = await readAttempt(till, attempt)
  const at = next_check_at === null ? null : (Date.parse(next_check_at) - ahead(0).getTime()) / secondMs
  return [checks, at]
}

/** Of rounds before: each test looks at its own attempts alone. */
async function forgetAll(): Promise<void> {
  await till.db.query(sql`update attempts set next_check_at = null where merchant_id = ${till.merchantId}`)
}

type Done = {
  readonly asked: readonly string[]
  readonly applied: readonly NetworkOutcome[]
  readonly next: readonly unknown[]
  readonly log: readonly unknown[]
}

/** A round in which an attempt is due that two looks decided nothing about. */
async function check(state: string, answers: CardAnswers, changes: Values = {}): Promise<Done> {
  await forgetAll()
  const attempt = await attemptByCard(till, { state, checks: 2, next_check_at: ahead(0), ...changes })
  const { merchant_id: merchantId, number, idempotency_key: idempotencyKey } = attempt
  const desk = openCardDesk(till, answers)
  assert.equal(await reconcile(desk.paying), 1)
  for (const call of desk.told)
    assert.deepEqual(call, [{ merchantId, paymentNumber: number, idempotencyKey }])
  for (const [key] of desk.applied) assert.deepEqual(key, { merchantId, number, attempt: 1 })
  const applied = desk.applied.map(([, word]) => word)
  return { asked: desk.asked, applied, next: await looksAndSeconds(attempt), log: desk.log() }
}

/** The lease alone says when it is looked at again. */
const leased = { asked: ['fetchStatus'], applied: [], next: [2, 30], log: [] }
const silence = [['warn', 'No answer from a network']]
const pending = { kind: 'pending' } as const
const challenged = { kind: 'action_required', connectorReference: 'tn_1' } as const
const neverCame = { kind: 'declined', reason: 'network_silent' } as const
const withdrawn = { kind: 'declined', reason: 'challenge_abandoned' } as const

test('the network’s decision is applied, however the attempt was lost', async () => {
  const charged = { kind: 'charged', connectorReference: 'tn_1' } as const
  const declined = { kind: 'declined', reason: 'wrong_cvc' } as const
  for (const state of ['started', 'submitted', 'unknown'])
    for (const word of [charged, declined])
      assert.deepEqual(await check(state, { fetchStatus: word }), { ...leased, applied: [word] })
})

test('an undecided network is asked less and less often, for seven days', async () => {
  const ofAge = async (ms: number): Promise<Done> =>
    check('unknown', { fetchStatus: pending }, { started_at: ahead(-ms) })
  assert.deepEqual(await ofAge(0), { ...leased, next: [3, 300] })
  assert.deepEqual(await ofAge(7 * dayMs - 1), { ...leased, next: [3, 300] })
  assert.deepEqual(await ofAge(7 * dayMs), {
    ...leased,
    next: [3, null],
    log: [['error', 'A network did not decide within seven days; check it by hand']],
  })
  for (const state of ['started', 'submitted'])
    assert.deepEqual(await check(state, { fetchStatus: pending }), {
      ...leased,
      applied: [{ kind: 'no_answer' }],
    })
})

test('a network without an answer makes an attempt unknown, and uses up no checks', async () => {
  assert.deepEqual(await check('unknown', {}), { ...leased, log: silence })
  for (const state of ['started', 'submitted'])
    assert.deepEqual(await check(state, {}), { ...leased, applied: [{ kind: 'no_answer' }], log: silence })
})

test('3-D Secure is shown to a customer who hasn’t seen it, and ended for one who never answered', async () => {
  const answers = { fetchStatus: challenged, withdraw: withdrawn }
  assert.deepEqual(await check('started', answers), { ...leased, applied: [challenged] })
  for (const state of ['submitted', 'unknown'])
    assert.deepEqual(await check(state, answers), {
      ...leased,
      asked: ['fetchStatus', 'withdraw'],
      applied: [neverCame],
    })
  assert.deepEqual(await check('action_required', answers), {
    ...leased,
    asked: ['withdraw'],
    applied: [withdrawn],
  })
})

test('an order the network hasn’t seen is blocked there before it counts as unpaid', async () => {
  for (const state of ['started', 'submitted', 'unknown'])
    assert.deepEqual(await check(state, { fetchStatus: { kind: 'not_found' }, withdraw: neverCame }), {
      ...leased,
      asked: ['fetchStatus', 'withdraw'],
      applied: [neverCame],
    })
})

test('surplus money on a card is reported to a person, and an attempt on a page is asked about there', async () => {
  assert.deepEqual(await check('surplus', {}), {
    asked: [],
    applied: [],
    next: [3, null],
    log: [['error', "A network doesn't return a surplus charge; check it by hand"]],
  })
  await forgetAll()
  const attempt = await attemptOnPage(till, { next_check_at: ahead(0) })
  const desk = openDesk(till, { fetch: { kind: 'open', connectorReference: 'tb_1' } })
  assert.equal(await reconcile(desk.paying), 1)
  assert.deepEqual([desk.asked, await looksAndSeconds(attempt)], [['fetch'], [1, 30]])
})

/** Three attempts that are due, and a network that decides. */
async function threeDue(more: (desk: Desk) => Partial<Desk['paying']>): Promise<Desk> {
  await forgetAll()
  for (let made = 0; made < 3; made += 1)
    await attemptByCard(till, { state: 'unknown', next_check_at: ahead(0) })
  const desk = openCardDesk(till, { fetchStatus: withdrawn })
  return { ...desk, paying: { ...desk.paying, ...more(desk) } }
}

test('an attempt that can’t be checked doesn’t hold up others', async () => {
  const desk = await threeDue(({ applied, paying }) => ({
    async applyOutcome(key, word) {
      if (applied.length === 1) throw new Error(`Broken after ${applied.push([key, word])}`)
      return paying.applyOutcome(key, word)
    },
  }))
  assert.equal(await reconcile(desk.paying), 3)
  assert.equal(desk.applied.length, 3)
  assert.deepEqual(desk.log(), [['error', 'Could not check an attempt; will retry']])
  assert.equal(await reconcile(desk.paying), 0, 'all are leased')
})

test('a round waits for everything it checks, or as long as its patience', async () => {
  let ended = 0
  let end = (): void => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  const slow = async () =>
    threeDue(({ paying }) => ({
      async applyOutcome(key, word) {
        await held
        ended += 1
        return paying.applyOutcome(key, word)
      },
    }))
  assert.equal(await reconcile((await slow()).paying, 1), 3)
  assert.equal(ended, 0, 'the round was over before them')
  const whole = reconcile((await slow()).paying)
  end()
  assert.equal(await whole, 3)
  assert.equal(ended, 6)
})

test('the job waits two seconds at most, and leaves no timer behind', async (t) => {
  const { mock: set } = t.mock.method(globalThis, 'setTimeout')
  const { mock: clear } = t.mock.method(globalThis, 'clearTimeout')
  const { name, everyMs, run } = reconcileJob((await threeDue(() => ({}))).paying)
  assert.deepEqual([name, everyMs, await run()], ['reconcile', 1_000, 3])
  const patience = set.calls.filter((call) => call.arguments[1] === 2_000).map(({ result }) => result)
  const cleared = clear.calls.map((call) => call.arguments[0])
  assert.deepEqual(
    patience.map((timer) => cleared.includes(timer)),
    [true],
  )
})

test('a round is shared among merchants, and an unreadable one doesn’t hold up others', async () => {
  await forgetAll()
  for (let made = 0; made < 21; made += 1)
    await attemptByCard(till, { state: 'unknown', next_check_at: ahead(0) })
  const unreadable = 2 ** 40
  const visiting = (...merchants: number[]): Desk =>
    openCardDesk(
      till,
      { fetchStatus: withdrawn },
      { findDue: { ...till.paying.findDue, withAttemptsToCheck: async () => merchants } },
    )
  const both = visiting(unreadable, till.merchantId)
  assert.equal(await reconcile(both.paying), 10, 'half of twenty')
  assert.deepEqual(both.log(), [['error', "Could not claim a merchant's attempts"]])
  assert.equal(await reconcile(visiting(till.merchantId).paying), 11)
  assert.equal(await reconcile(visiting().paying), 0)
})
