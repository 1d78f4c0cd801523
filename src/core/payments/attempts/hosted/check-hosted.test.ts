import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../../test/support/rows.ts'
import {
  attemptOnPage,
  openDesk,
  readAttempt,
  type Answers,
} from '../../../../../test/support/scripted-networks.ts'
import { dayMs, minuteMs, openTill, secondMs, type Till } from '../../../../../test/support/till.ts'
import type { HostedStatus } from '../../../networks/hosted.ts'
import type { NetworkOutcome } from '../network-word.ts'
import { checkHosted } from './check-hosted.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const ahead = (ms: number): Date => new Date(till.paying.now().getTime() + ms)

type Done = {
  readonly asked: readonly string[]
  readonly applied: readonly NetworkOutcome[]
  /** Looks that decided nothing so far, and the seconds until the next one. */
  readonly next: readonly [checks: number, seconds: number | null]
  readonly log: readonly [string, string][]
}

/** The schedule looks at an attempt that was looked at twice. */
async function check(changes: Values, answers: Answers): Promise<Done> {
  const attempt = await attemptOnPage(till, { checks: 2, next_check_at: ahead(0), ...changes })
  const { merchant_id: merchantId, number } = attempt
  const desk = openDesk(till, answers)
  await checkHosted(desk.paying, attempt)
  for (const [key] of desk.applied) assert.deepEqual(key, { merchantId, number, attempt: 1 })
  const { checks, next_check_at } = await readAttempt(till, attempt)
  const seconds = next_check_at === null ? null : (Date.parse(next_check_at) - ahead(0).getTime()) / secondMs
  return {
    asked: desk.asked,
    applied: desk.applied.map(([, word]) => word),
    next: [checks, seconds],
    log: desk.log(),
  }
}

const untouched = { applied: [], next: [2, 0], log: [] } as const
const noAnswer: [string, string] = ['warn', 'No answer from a network']

const open: HostedStatus = { kind: 'open', connectorReference: 'tb_1' }
const pending: HostedStatus = { kind: 'pending', connectorReference: 'tb_1' }

test('a decisive answer is applied, any other waits for the next check', async () => {
  const charged = {
    kind: 'charged',
    connectorReference: 'tb_1',
    chargeReference: 'ch_1',
    money: { amountMinor: 1_000n, currency: 'GBP' },
  } as const
  const declined = { kind: 'declined', reason: 'insufficient_funds' } as const
  for (const state of ['action_required', 'submitted', 'unknown'])
    for (const word of [charged, declined])
      assert.deepEqual(await check({ state }, { fetch: word }), {
        ...untouched,
        asked: ['fetch'],
        applied: [word],
      })
  assert.deepEqual(await check({}, { fetch: pending }), {
    ...untouched,
    asked: ['fetch'],
    applied: [{ kind: 'pending' }],
  })
  for (const state of ['submitted', 'unknown'])
    assert.deepEqual(await check({ state }, { fetch: pending }), {
      ...untouched,
      asked: ['fetch'],
      next: [3, 300],
    })
})

test('an open page is checked after its pause, and when it ends at the latest', async () => {
  for (const [page_expires_at, seconds] of [
    [null, 180],
    [ahead(181 * secondMs), 180],
    [ahead(179 * secondMs), 179],
  ] as const)
    assert.deepEqual(await check({ page_expires_at }, { fetch: open }), {
      ...untouched,
      asked: ['fetch'],
      next: [3, seconds],
    })
})

test('an undecided network is asked for seven days from the start, then a person is told', async () => {
  const late = (ms: number) =>
    check({ state: 'submitted', started_at: ahead(-7 * dayMs + ms) }, { fetch: pending })
  assert.deepEqual(await late(minuteMs), { ...untouched, asked: ['fetch'], next: [3, 300] })
  assert.deepEqual(await late(0), {
    ...untouched,
    asked: ['fetch'],
    next: [3, null],
    log: [['error', 'A network did not decide within seven days; check it by hand']],
  })
})

test('a debit of a saved method is asked about for thirty days', async () => {
  const debit = { state: 'submitted', saved_method_id: 'svm_1', method: 'bank' }
  const late = (days: number) =>
    check({ ...debit, started_at: ahead(-days * dayMs + minuteMs) }, { fetch: pending })
  assert.deepEqual(await late(30), { ...untouched, asked: ['fetch'], next: [3, 300] })
  const { next, log } = await late(31)
  assert.deepEqual(next, [3, null])
  assert.deepEqual(log, [['error', 'A network did not decide within thirty days; check it by hand']])
})

test('a network without an answer decides nothing, unless its page’s URL was never given out', async () => {
  for (const state of ['action_required', 'submitted', 'unknown'])
    assert.deepEqual(await check({ state }, {}), { ...untouched, asked: ['fetch'], log: [noAnswer] }, state)
  assert.deepEqual(await check({ state: 'started', connector_reference: null }, {}), {
    ...untouched,
    asked: ['open'],
    applied: [{ kind: 'not_made', reason: 'processing_error' }],
    log: [noAnswer],
  })
})

test('for surplus money only its return is checked', async () => {
  const surplus = {
    state: 'surplus',
    charge_reference: 'ch_1',
    charged_minor: 1_000n,
    charged_currency: 'GBP',
  }
  assert.deepEqual(await check(surplus, {}), { ...untouched, asked: ['refund'], log: [noAnswer] })
})
