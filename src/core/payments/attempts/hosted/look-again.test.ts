import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../../test/support/rows.ts'
import {
  attemptOnPage,
  openDesk,
  readAttempt,
  type Answers,
} from '../../../../../test/support/scripted-networks.ts'
import { openTill, secondMs, type Till } from '../../../../../test/support/till.ts'
import type { HostedStatus } from '../../../networks/hosted.ts'
import { lookAgain, type VisitOrigin } from './look-again.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const ahead = (ms: number): Date => new Date(till.paying.now().getTime() + ms)

/** Somebody looks at an attempt that was looked at four times: what was asked, applied and answered, and when the next look is. */
async function look(came: VisitOrigin, answers: Answers, changes: Values = {}): Promise<unknown> {
  const attempt = await attemptOnPage(till, { checks: 4, next_check_at: ahead(60 * secondMs), ...changes })
  const { merchant_id: merchantId, number } = attempt
  const desk = openDesk(till, answers)
  const looked = await lookAgain(desk.paying, { merchantId, number }, came)
  for (const [key] of desk.applied) assert.deepEqual(key, { merchantId, number, attempt: 1 })
  const { checks, next_check_at } = await readAttempt(till, attempt)
  const seconds = (Date.parse(next_check_at ?? '') - ahead(0).getTime()) / secondMs
  return { asked: desk.asked, applied: desk.applied.map(([, word]) => word), looked, next: [checks, seconds] }
}

const asBefore = { asked: ['fetch'], applied: [], looked: 'nothing_new', next: [4, 60] }
const pending: HostedStatus = { kind: 'pending', connectorReference: 'tb_1' }

test('a network’s news is applied, whoever triggers the check', async () => {
  const charged = {
    kind: 'charged',
    connectorReference: 'tb_1',
    chargeReference: 'ch_1',
    money: { amountMinor: 1_000n, currency: 'GBP' },
  } as const
  for (const came of ['by_itself', 'from_the_page'] as const) {
    for (const state of ['action_required', 'submitted', 'unknown'])
      assert.deepEqual(await look(came, { fetch: charged }, { state }), {
        ...asBefore,
        applied: [charged],
        looked: 'new',
      })
    assert.deepEqual(await look(came, { fetch: pending }), {
      ...asBefore,
      applied: [{ kind: 'pending' }],
      looked: 'new',
    })
  }
})

test('a customer back from the page without news is checked again seconds later', async () => {
  const nothingNew: [Answers, Values][] = [
    [{ fetch: { kind: 'open', connectorReference: 'tb_1' } }, {}],
    [{}, {}],
    [{ fetch: pending }, { state: 'submitted' }],
    [{ fetch: pending }, { state: 'unknown' }],
  ]
  for (const [index, rows] of nothingNew.entries()) {
    const looked = index === 0 ? 'still_open' : 'nothing_new'
    assert.deepEqual(await look('by_itself', ...rows), { ...asBefore, looked })
    assert.deepEqual(await look('from_the_page', ...rows), { ...asBefore, looked, next: [0, 5] })
  }
})

test('the network is asked at intervals, shorter for a customer back from the page', async () => {
  const notAsked = { ...asBefore, asked: [] }
  for (const [came, everyMs] of [
    ['by_itself', 3_000],
    ['from_the_page', 500],
  ] as const) {
    const lastAsked = async (asked_at: Date): Promise<unknown> => look(came, { fetch: pending }, { asked_at })
    const asked = { ...asBefore, applied: [{ kind: 'pending' }], looked: 'new' }
    assert.deepEqual(await lastAsked(ahead(-everyMs)), asked, came)
    assert.deepEqual(await lastAsked(ahead(1 - everyMs)), notAsked, came)
    assert.deepEqual(await look(came, { fetch: pending }, { state: 'started' }), notAsked, came)
  }
})
