import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import type { StandingAttempt } from '../attempts/attempt-store.ts'
import type { AttemptMove } from '../attempts/move-attempt.ts'
import { lockPayment, type LockedPayment } from '../store.ts'
import type { SavedMethods, SavingOutcome } from './saved-methods.ts'
import { changeOfCharge, settleSaving } from './settle-saving.ts'

const charges = JSON.stringify({ charges: 'svm_1' })
const present = JSON.stringify({ customerRef: 'ada' })
const asks = JSON.stringify({ asked: { agreement: 'recurring', customerRef: 'ada' } })

const paymentOf = (saving: string | null) => ({ saving }) as LockedPayment
const attemptOf = (changes: Partial<StandingAttempt>) =>
  ({ attempt: 1, state: 'declined', decline_reason: 'declined', ...changes }) as StandingAttempt

test('a refused charge ends its payment for the reason of the bank', () => {
  const payment = paymentOf(charges)
  for (const [decline_reason, failureReason] of [
    ['insufficient_funds', 'insufficient_funds'],
    ['method_ended', 'method_ended'],
    [null, 'declined'],
  ] as const)
    assert.deepEqual(changeOfCharge(payment, attemptOf({ decline_reason })), {
      payment,
      event: 'charge_refused',
      failureReason,
    })
})

test('a payment goes on if its bank wants the customer, and after attempts that were no refused charges', () => {
  for (const [saving, attempt] of [
    [charges, attemptOf({ decline_reason: 'needs_customer' })],
    [charges, attemptOf({ attempt: 2 })],
    [charges, attemptOf({ state: 'succeeded' })],
    [charges, attemptOf({ state: 'unknown' })],
    [asks, attemptOf({})],
    [null, attemptOf({})],
  ] as const)
    assert.equal(changeOfCharge(paymentOf(saving), attempt), undefined)
})

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
after(() => merchants.close())

const at = new Date('2026-11-18T08:00:00.000Z')
const savedMethod = { token: 'tok' } as unknown as AttemptMove['savedMethod']

type Case = {
  readonly saving: string | null
  readonly attempt: Partial<StandingAttempt>
  /** The customer pays with a saved method. */
  readonly savedMethodId?: string
  /** Undefined: saved methods hear nothing of it. */
  readonly result: string | undefined
}

const cases: readonly Case[] = [
  { saving: asks, attempt: { state: 'succeeded' }, result: 'charged' },
  { saving: charges, attempt: { state: 'succeeded' }, result: 'charged' },
  { saving: charges, attempt: { decline_reason: 'expired_card' }, result: 'expired_card' },
  { saving: charges, attempt: { decline_reason: null }, result: 'declined' },
  { saving: charges, attempt: { attempt: 2 }, result: undefined },
  { saving: charges, attempt: { state: 'unknown' }, result: undefined },
  { saving: asks, attempt: {}, result: undefined },
  { saving: present, attempt: {}, result: undefined },
  { saving: present, attempt: {}, savedMethodId: 'svm_1', result: 'declined' },
  { saving: present, attempt: { state: 'succeeded' }, savedMethodId: 'svm_1', result: 'charged' },
  { saving: present, attempt: { state: 'abandoned' }, savedMethodId: 'svm_1', result: undefined },
  { saving: null, attempt: { state: 'succeeded' }, result: undefined },
]

test('saved methods learn of each paid attempt and of each refused charge, once and with what was saved', async () => {
  const { db, own: merchant_id } = merchants
  const numbers = cases.map((_, index) => paymentNumber(index + 1))
  const moved = cases.map(({ attempt }, index) => {
    const number = numbers[index] ?? ''
    return {
      attempt: attemptOf({ merchant_id, number, ...attempt }),
      move: { at, savedMethod } as AttemptMove,
    }
  })
  const rows = cases.map(({ saving }, index) =>
    paymentRow({ merchant_id, number: numbers[index] ?? '', saving }),
  )
  await insertRows(db, 'payments', rows)
  const written = moved.map(({ attempt: { number, attempt } }, index) =>
    attemptRow({ merchant_id, number, attempt, saved_method_id: cases[index]?.savedMethodId ?? null }),
  )
  await insertRows(db, 'attempts', written)
  const heard: SavingOutcome[] = []
  const savedMethods: SavedMethods = {
    async settle(_, outcome) {
      heard.push(outcome)
      return { saving: { ...outcome.saving, charges: 'svm_2' }, events: [{ event: 'method.saved' }] }
    },
    tokenOf: async () => undefined,
    tokenAt: async () => undefined,
  }
  const settled = cases.flatMap(({ result }, index) => (result === undefined ? [] : [index]))
  await inTransaction(db, async (tx) => {
    const payments = new Map<string, LockedPayment>()
    for (const number of numbers) {
      const payment = await lockPayment(tx, { merchantId: merchant_id, number })
      if (payment) payments.set(number, payment)
    }
    const deps = { savedMethods } as unknown as Parameters<typeof settleSaving>[0]
    const stranger = { ...moved[0]!, attempt: { ...moved[0]!.attempt, number: paymentNumber(99) } }
    assert.deepEqual(
      await settleSaving(deps, tx, payments, [stranger, ...moved]),
      settled.map((index) => ({ number: numbers[index], event: { event: 'method.saved' } })),
    )
    assert.deepEqual(
      heard.map(({ payment, result, attempt, ...rest }) => [
        payment.number,
        result,
        attempt.attempt,
        rest.savedMethod,
        rest.at,
      ]),
      settled.map((index) => [numbers[index], cases[index]?.result, 1, savedMethod, at]),
    )
    for (const [index, number] of numbers.entries()) {
      const old = cases[index]?.saving ?? 'null'
      const expected = settled.includes(index) ? { ...JSON.parse(old), charges: 'svm_2' } : JSON.parse(old)
      const stored = await lockPayment(tx, { merchantId: merchant_id, number })
      for (const saving of [stored?.saving, payments.get(number)?.saving])
        assert.deepEqual(JSON.parse(saving ?? 'null'), expected)
    }
    assert.deepEqual(await settleSaving({} as typeof deps, tx, payments, moved), [])
  })
})
