import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentEvent, PaymentState } from '../state-machine.ts'
import { addFigures, noFigures, talliesOf, untalliesOf, type Figures } from './tally.ts'

const payment = (state: PaymentState, amount_minor = 500n, currency = 'GBP') => ({
  number: '7',
  mode: 'live' as const,
  currency,
  state,
  amount_minor,
  charge_minor: amount_minor / 100n,
  refunded_minor: 0n,
  dispute: null,
})

const moves: readonly (readonly [PaymentState, PaymentEvent, Partial<Figures>, Partial<Figures>])[] = [
  ['pending', 'paid', { paid: 1n, paidMinor: 500n, feeMinor: 5n }, {}],
  ['failed', 'paid', { paid: 1n, paidMinor: 500n, feeMinor: 5n }, { unpaid: -1n }],
  ['cancelled', 'paid', { paid: 1n, paidMinor: 500n, feeMinor: 5n }, { unpaid: -1n }],
  ['expired', 'paid', { paid: 1n, paidMinor: 500n, feeMinor: 5n }, { unpaid: -1n }],
  ['pending', 'attempts_used_up', { unpaid: 1n }, {}],
  ['pending', 'cancelled_by_customer', { unpaid: 1n }, {}],
  ['pending', 'cancelled_by_merchant', { unpaid: 1n }, {}],
  ['pending', 'ran_out_of_time', { unpaid: 1n }, {}],
  ['success', 'refunded_in_full', {}, {}],
  ['refunded', 'refund_came_back', {}, {}],
  ['success', 'reversed_by_bank', { reversed: 1n, reversedMinor: 500n }, {}],
  ['refunded', 'reversed_by_bank', { reversed: 1n, reversedMinor: 500n }, {}],
  ['reversed', 'given_back_by_bank', {}, { reversed: -1n, reversedMinor: -500n }],
  ['reversed', 'given_back_refunded', {}, { reversed: -1n, reversedMinor: -500n }],
]

test('each move adds to its own day, and subtracts what is no longer true from the earlier day', () => {
  const isSomething = (figures: object): boolean => Object.keys(figures).length > 0
  for (const [state, event, added, taken] of moves) {
    const move = { payment: payment(state), event }
    const of = { mode: 'live', currency: 'GBP', ...noFigures }
    assert.deepEqual(talliesOf([move]), isSomething(added) ? [{ ...of, ...added }] : [], `${state}, ${event}`)
    const untally = { ...of, number: '7', sinceState: state, ...taken }
    assert.deepEqual(untalliesOf([move]), isSomething(taken) ? [untally] : [], `${state}, ${event}`)
  }
})

test('moves in one commit give one row per mode and currency', () => {
  const inTestMode = { ...payment('pending', 3n), mode: 'test' as const }
  const tallies = talliesOf([
    { payment: payment('pending', 500n), event: 'paid' },
    { payment: payment('pending', 70n, 'EUR'), event: 'paid' },
    { payment: inTestMode, event: 'paid' },
    { payment: payment('pending', 40n), event: 'paid' },
    { payment: payment('pending', 9n), event: 'ran_out_of_time' },
    { payment: payment('success', 8n), event: 'reversed_by_bank' },
  ])
  assert.deepEqual(tallies, [
    {
      ...noFigures,
      mode: 'live',
      currency: 'GBP',
      paid: 2n,
      paidMinor: 540n,
      feeMinor: 5n,
      unpaid: 1n,
      reversed: 1n,
      reversedMinor: 8n,
    },
    { ...noFigures, mode: 'live', currency: 'EUR', paid: 1n, paidMinor: 70n },
    { ...noFigures, mode: 'test', currency: 'GBP', paid: 1n, paidMinor: 3n },
  ])
})

test('each figure is added separately', () => {
  assert.deepEqual(new Set(Object.values(noFigures)), new Set([0n]))
  const one = {
    ...noFigures,
    paid: 1n,
    paidMinor: 2n,
    feeMinor: 8n,
    unpaid: 3n,
    refunds: 4n,
    refundedMinor: 5n,
  }
  const sum = addFigures({ ...one, reversed: 6n, reversedMinor: 7n }, { refunds: 10n, refundedMinor: -5n })
  assert.deepEqual(sum, { ...one, refunds: 14n, refundedMinor: 0n, reversed: 6n, reversedMinor: 7n })
})
