import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { byBank } from '../../../../../test/support/hosted-choice.ts'
import type { Values } from '../../../../../test/support/rows.ts'
import {
  attemptOnPage,
  openDesk,
  type Answers,
  type Desk,
} from '../../../../../test/support/scripted-networks.ts'
import { minuteMs, openTill, type Till } from '../../../../../test/support/till.ts'
import { listAttempts } from '../attempt-store.ts'
import type { Paying } from '../paying.ts'
import { chooseMethod } from './choose-method.ts'
import { findPaymentRow } from './hosted-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const ahead = (ms: number): Date => new Date(till.paying.now().getTime() + ms)

type Chosen = {
  readonly result: unknown
  readonly asked: readonly string[]
  readonly states: readonly string[]
}

/** A customer whose last attempt is this one chooses the bank. */
async function choose(
  answers: Answers,
  last: Values = {},
  payment: Values = {},
  more: Partial<Paying> = {},
): Promise<Chosen & { readonly desk: Desk; readonly number: string }> {
  const page = { method: 'bank', page_url: 'https://bank.example/1', page_expires_at: ahead(5 * minuteMs) }
  const { merchant_id: merchantId, number } = await attemptOnPage(till, { ...page, ...last }, payment)
  const { applyOutcome } = till.paying
  const desk = openDesk(till, answers, { applyOutcome, ...more })
  const result = await chooseMethod(desk.paying, { merchantId, number }, byBank, 'de')
  const attempts = await listAttempts(till.db, { merchantId, number })
  return { result, asked: desk.asked, states: attempts.map(({ state }) => state), desk, number }
}

async function chosen(...how: Parameters<typeof choose>): Promise<Chosen> {
  const { result, asked, states } = await choose(...how)
  return { result, asked, states }
}

const opened = { kind: 'open', connectorReference: 'tb_2', url: 'https://bank.example/2' } as const
const stillOpen = { kind: 'open', connectorReference: 'tb_1' } as const
const pending = { kind: 'pending', connectorReference: 'tb_1' } as const
const declined = { kind: 'declined', reason: 'insufficient_funds' } as const
const charged = {
  kind: 'charged',
  connectorReference: 'tb_1',
  chargeReference: 'ch_1',
  money: { amountMinor: 1_000n, currency: 'GBP' },
} as const
const ledThere = { kind: 'action_required' }

test('an existing page is reused unless the network says it is over', async () => {
  const rows: [Answers, object, string[]][] = [
    [{ fetch: stillOpen }, ledThere, ['action_required']],
    [{}, ledThere, ['action_required']],
    [{ fetch: pending }, { kind: 'waiting' }, ['submitted']],
    [{ fetch: charged }, { kind: 'paid' }, ['succeeded']],
  ]
  for (const [answers, result, states] of rows)
    assert.deepEqual(await chosen({ ...answers, open: opened }), { result, asked: ['fetch'], states })
  assert.deepEqual(await chosen({ fetch: declined, open: opened }), {
    result: ledThere,
    asked: ['fetch', 'open'],
    states: ['declined', 'action_required'],
  })
})

test('a page for another choice, or about to end, is closed at the network before a new one is opened', async () => {
  const others: Values[] = [
    { method: 'card' },
    { account_id: 'acc_other' },
    { page_url: null },
    { page_expires_at: ahead(5 * minuteMs - 1) },
    { page_expires_at: null },
  ]
  for (const other of others)
    assert.deepEqual(await chosen({ withdraw: declined, open: opened }, other), {
      result: ledThere,
      asked: ['withdraw', 'open'],
      states: ['declined', 'action_required'],
    })
})

test('being led to a page again gives it no more time', async () => {
  const { desk, number } = await choose({ fetch: stillOpen }, { page_expires_at: ahead(6 * minuteMs) })
  const key = { merchantId: till.merchantId, number }
  const ends = async () => (await listAttempts(till.db, key)).map(({ page_expires_at }) => page_expires_at)
  const first = await ends()
  till.forward(minuteMs)
  await chooseMethod(desk.paying, key, byBank, 'de')
  assert.deepEqual(await ends(), first)
  assert.deepEqual(desk.asked, ['fetch', 'fetch'])
  till.forward(1)
  await chooseMethod(desk.paying, key, byBank, 'de')
  assert.equal(desk.asked[2], 'withdraw', 'a millisecond less than five minutes are left')
})

test('no page is opened while another may still charge or has charged', async () => {
  const rows: [Answers, object, string[], string[]][] = [
    [{ withdraw: { kind: 'not_found' } }, ledThere, ['withdraw', 'open'], ['abandoned', 'action_required']],
    [{ withdraw: charged }, { kind: 'paid' }, ['withdraw'], ['succeeded']],
    [{ withdraw: pending }, { kind: 'waiting' }, ['withdraw'], ['submitted']],
    [{ withdraw: stillOpen }, { kind: 'waiting' }, ['withdraw'], ['unknown']],
    [{}, { kind: 'waiting' }, ['withdraw'], ['unknown']],
  ]
  for (const [answers, result, asked, states] of rows)
    assert.deepEqual(await chosen({ ...answers, open: opened }, { method: 'card' }), {
      result,
      asked,
      states,
    })
})

test('an attempt that has left its page, or never had one, allows no second one', async () => {
  for (const last of [
    { state: 'started' },
    { state: 'submitted' },
    { state: 'unknown' },
    { state: 'held' },
    { account_id: null, method: null },
  ])
    assert.deepEqual(await chosen({ open: opened, fetch: stillOpen, withdraw: declined }, last), {
      result: { kind: 'in_flight' },
      asked: [],
      states: [(last as { state?: string }).state ?? 'action_required'],
    })
})

test('a finished payment accepts no choice', async () => {
  for (const state of ['success', 'failed', 'cancelled', 'expired', 'reversed'])
    assert.deepEqual(await chosen({ open: opened }, {}, { state }), {
      result: { kind: 'closed' },
      asked: [],
      states: ['action_required'],
    })
  const nobodys = { merchantId: till.merchantId, number: '9'.repeat(24) }
  const desk = openDesk(till, { open: opened })
  assert.deepEqual(await chooseMethod(desk.paying, nobodys, byBank, 'en'), { kind: 'closed' })
})

test('a choice that isn’t offered, or in a suspended shop, opens nothing', async () => {
  const unavailable = { kind: 'unavailable' }
  const key = await till.newPayment()
  const desk = openDesk(till, { open: opened })
  for (const choice of [
    { ...byBank, method: 'card' as const },
    { ...byBank, accountId: 'acc_other' },
  ])
    assert.deepEqual(await chooseMethod(desk.paying, key, choice, 'en'), unavailable)
  const asked: number[] = []
  const isSuspended = async (merchantId: number): Promise<boolean> => asked.push(merchantId) > 0
  const { result, asked: verbs } = await choose({ open: opened }, { state: 'abandoned' }, {}, { isSuspended })
  assert.deepEqual([result, verbs, desk.asked, asked], [unavailable, [], [], [till.merchantId]])
})

test('opening is tried twice with the same key, in the customer’s language, then another choice is allowed', async () => {
  const abandoned = { state: 'abandoned' }
  for (const [open, result, state] of [
    [[opened], ledThere, 'action_required'],
    [[undefined, opened], ledThere, 'action_required'],
    [[undefined, undefined, opened], { kind: 'declined', reason: 'processing_error' }, 'abandoned'],
  ] as const) {
    const tries = Math.min(open.length, 2)
    const { desk, number, ...done } = await choose({ open }, abandoned, { language: 'fr' })
    assert.deepEqual(done, {
      result,
      asked: Array.from({ length: tries }, () => 'open'),
      states: ['abandoned', state],
    })
    const attempts = await listAttempts(till.db, { merchantId: till.merchantId, number })
    const { connector, account_id, method, idempotency_key } = attempts[1] ?? {}
    assert.deepEqual([connector, account_id, method], [till.bank.name, byBank.accountId, 'bank'])
    for (const [, order, page] of desk.told)
      assert.deepEqual([order?.['idempotencyKey'], page?.['language']], [idempotency_key, 'de'])
  }
})

test('the language is written when it is new, and English counts as that of a payment without one', async () => {
  for (const [earlier, chosenIn, stored] of [
    [null, 'en', null],
    [null, 'de', 'de'],
    ['de', 'de', 'de'],
    ['de', 'en', 'en'],
  ] as const) {
    const abandoned = { state: 'abandoned' }
    const { merchant_id: merchantId, number } = await attemptOnPage(till, abandoned, { language: earlier })
    const { applyOutcome } = till.paying
    const desk = openDesk(till, { open: opened }, { applyOutcome })
    assert.deepEqual(await chooseMethod(desk.paying, { merchantId, number }, byBank, chosenIn), ledThere)
    const payment = await findPaymentRow(till.db, { merchantId, number })
    assert.equal(payment?.language, stored)
    assert.equal(desk.told[0]?.[2]?.['language'], chosenIn)
  }
})
