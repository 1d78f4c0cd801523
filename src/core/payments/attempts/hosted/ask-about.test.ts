import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptRow, insertRows, type Values } from '../../../../../test/support/rows.ts'
import { attemptOnPage, openDesk, type Answers } from '../../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../../test/support/till.ts'
import type { HostedStatus } from '../../../networks/hosted.ts'
import { attemptStates, type AttemptState } from '../../state-machine.ts'
import { askAbout, type AskedAbout } from './ask-about.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const charged = {
  kind: 'charged',
  connectorReference: 'tb_1',
  chargeReference: 'ch_1',
  money: { amountMinor: 1_000n, currency: 'GBP' },
} as const

/** A callback names an attempt by its key: what it is answered, what the network was asked and which words were applied. */
async function hear(answers: Answers, changes: Values = {}): Promise<unknown[]> {
  const { merchant_id: merchantId, number, idempotency_key } = await attemptOnPage(till, changes)
  const desk = openDesk(till, answers)
  const answer = await askAbout(desk.paying, { merchantId, idempotencyKey: idempotency_key })
  for (const [key] of desk.applied) assert.deepEqual(key, { merchantId, number, attempt: 1 })
  return [answer, desk.asked, desk.applied.map(([, word]) => word)]
}

test('a network is asked only about attempts that can still bring money', async () => {
  const isSettled = (state: AttemptState): boolean =>
    ['succeeded', 'held', 'surplus', 'returned'].includes(state)
  for (const state of attemptStates)
    assert.deepEqual(
      await hear({ fetch: charged }, { state }),
      ['asked', ...(isSettled(state) ? [[], []] : [['fetch'], [charged]])],
      state,
    )
})

test('an abandoned attempt is only asked about, and a finished one is closed at the network', async () => {
  const open: HostedStatus = { kind: 'open', connectorReference: 'tb_1' }
  const answers = { fetch: open, withdraw: { kind: 'not_found' } } as const
  const ended = { page_expires_at: till.paying.now() }
  const closed = [['fetch', 'withdraw'], [{ kind: 'declined', reason: 'challenge_abandoned' }]]
  for (const state of ['declined', 'abandoned'])
    assert.deepEqual(await hear(answers, { ...ended, state }), ['asked', ['fetch'], []], state)
  assert.deepEqual(await hear(answers, ended), ['asked', ...closed])
  assert.deepEqual(await hear(answers), ['asked', ['fetch'], []])
})

test('a caller learns when the network gave no answer', async () => {
  for (const state of ['action_required', 'abandoned'])
    assert.deepEqual(await hear({}, { state }), ['no_answer', ['fetch'], []])
})

test('the most exact id counts: the key, then the reference, then the number’s last attempt', async () => {
  const newAttempt = async (reference: string) => attemptOnPage(till, { connector_reference: reference })
  const [first, second, third] = [
    await newAttempt('tb_first'),
    await newAttempt('tb_second'),
    await newAttempt('tb_third'),
  ]
  const { merchant_id, number } = third
  const onCard = { merchant_id, number, attempt: 2, state: 'declined' }
  const meant = async (about: Omit<AskedAbout, 'merchantId'>): Promise<string | undefined> => {
    const desk = openDesk(till, { fetch: charged })
    const answer = await askAbout(desk.paying, { merchantId: till.merchantId, ...about })
    const [applied] = desk.applied
    assert.equal(answer, applied ? 'asked' : 'not_found')
    return applied?.[0].number
  }
  const byKey = { idempotencyKey: first.idempotency_key }
  const byReference = { connectorReference: 'tb_second' }
  assert.equal(await meant({ ...byKey, ...byReference, number }), first.number)
  assert.equal(await meant({ idempotencyKey: 'unheard', ...byReference, number }), second.number)
  assert.equal(await meant({ ...byReference, number }), second.number)
  assert.equal(await meant({ idempotencyKey: 'unheard', connectorReference: 'unheard', number }), number)
  assert.equal(await meant({ number }), number)
  assert.equal(await meant({ idempotencyKey: 'unheard' }), undefined)
  assert.equal(await meant({}), undefined)
  await insertRows(till.db, 'attempts', [attemptRow(onCard)])
  assert.equal(await meant({ number }), undefined, 'the last attempt was on our own page')
})
