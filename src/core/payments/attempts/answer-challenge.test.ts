import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../test/support/rows.ts'
import {
  attemptByCard,
  openCardDesk,
  readAttempt,
  type CardAnswers,
} from '../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { listHistory } from '../history-store.ts'
import { attemptStates, type AttemptState } from '../state-machine.ts'
import { answerChallenge, giveUpChallenge } from './answer-challenge.ts'
import type { PayResult } from './record-outcome.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const verbs = {
  async answer(paying: Till['paying'], key: Parameters<typeof giveUpChallenge>[1]) {
    return answerChallenge(paying, key, 'approve')
  },
  giveUp: giveUpChallenge,
}

/** What a customer who answers, or walks away, is told and did. */
async function does(verb: keyof typeof verbs, answers: CardAnswers, changes: Values = {}) {
  const attempt = await attemptByCard(till, changes)
  const { merchant_id: merchantId, number, idempotency_key: idempotencyKey } = attempt
  const key = { merchantId, number, attempt: 1 }
  const desk = openCardDesk(till, answers, { applyOutcome: till.paying.applyOutcome })
  const result = await verbs[verb](desk.paying, key)
  const order = { merchantId, paymentNumber: number, idempotencyKey }
  for (const call of desk.told) assert.deepEqual(call, verb === 'answer' ? [order, 'approve'] : [order])
  const events = (await listHistory(till.db, key)).map(({ event }) => event)
  return { result, asked: desk.asked, state: (await readAttempt(till, attempt)).state, events }
}

const charged = { kind: 'charged', connectorReference: 'tn_1' } as const
const refused = { kind: 'declined', reason: 'challenge_refused' } as const
const abandoned = { kind: 'declined', reason: 'challenge_abandoned' } as const

test('a challenge answer is sent on first, and its outcome is returned', async () => {
  const asked = ['continueAfterChallenge']
  for (const [answers, expected] of [
    [
      { continueAfterChallenge: charged },
      { result: { kind: 'paid' }, state: 'succeeded', events: ['sent_on', 'charged', 'paid'] },
    ],
    [
      { continueAfterChallenge: refused },
      { result: refused, state: 'declined', events: ['sent_on', 'refused'] },
    ],
    [{}, { result: { kind: 'waiting' }, state: 'unknown', events: ['sent_on', 'no_answer'] }],
  ] as const)
    assert.deepEqual(await does('answer', answers), { asked, ...expected })
})

test('giving up a challenge ends it at the network before it counts as ended', async () => {
  const asked = ['withdraw']
  for (const [answers, expected] of [
    [{ withdraw: abandoned }, { result: abandoned, state: 'abandoned', events: ['given_up'] }],
    [{ withdraw: charged }, { result: { kind: 'paid' }, state: 'succeeded', events: ['charged', 'paid'] }],
    [{}, { result: { kind: 'waiting' }, state: 'unknown', events: ['no_answer'] }],
  ] as const)
    assert.deepEqual(await does('giveUp', answers), { asked, ...expected })
})

const toldOf: Readonly<Record<AttemptState, PayResult>> = {
  started: { kind: 'waiting' },
  action_required: { kind: 'action_required' },
  submitted: { kind: 'waiting' },
  unknown: { kind: 'waiting' },
  succeeded: { kind: 'paid' },
  declined: { kind: 'declined', reason: 'declined' },
  abandoned: { kind: 'declined', reason: 'challenge_abandoned' },
  held: { kind: 'waiting' },
  surplus: { kind: 'closed' },
  returned: { kind: 'closed' },
  left_open: { kind: 'declined', reason: 'challenge_abandoned' },
  not_sent: { kind: 'not_sent' },
}

test('without an open challenge of ours the current result is returned, and no network is asked', async () => {
  const answers = { continueAfterChallenge: charged, withdraw: charged }
  for (const verb of ['answer', 'giveUp'] as const) {
    for (const state of attemptStates) {
      const account_id = state === 'action_required' ? 'acc_test-bank' : null
      const done = await does(verb, answers, { state, account_id })
      assert.deepEqual(done, { result: toldOf[state], asked: [], state, events: [] })
    }
    const reason = 'insufficient_funds'
    for (const state of ['declined', 'abandoned']) {
      const { result } = await does(verb, answers, { state, decline_reason: reason })
      assert.deepEqual(result, { kind: 'declined', reason })
    }
  }
})

test('a missing attempt counts as closed', async () => {
  const { merchant_id: merchantId, number } = await attemptByCard(till)
  const { paying, asked } = openCardDesk(till, { continueAfterChallenge: charged, withdraw: charged })
  for (const verb of ['answer', 'giveUp'] as const)
    for (const key of [
      { merchantId, number, attempt: 2 },
      { merchantId, number: '9'.repeat(24), attempt: 1 },
    ])
      assert.deepEqual(await verbs[verb](paying, key), { kind: 'closed' })
  assert.deepEqual(asked, [])
})
