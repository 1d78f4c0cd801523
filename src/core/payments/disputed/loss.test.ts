import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lossOf, describeLoss, sumTaken } from './loss.ts'

const taken = { money_taken: true, currency: 'GBP', amount_minor: 1_000 }

for (const [what, refunded, dispute, loss] of [
  ['without a dispute', 1_000n, null, 0n],
  ['refunded in full and taken in full', 1_000n, taken, 1_000n],
  ['refunded in part and taken in full', 400n, taken, 400n],
  ['refunded in part and taken by as much as is left', 400n, { ...taken, amount_minor: 600 }, 0n],
  ['refunded in part and taken by a penny more', 400n, { ...taken, amount_minor: 601 }, 1n],
  ['not refunded and taken', 0n, taken, 0n],
  ['refunded, with an inquiry that took nothing', 1_000n, { ...taken, money_taken: false }, 0n],
  ['refunded, with a dispute in another currency', 1_000n, { ...taken, currency: 'EUR' }, 0n],
  [
    'refunded, with two disputes',
    400n,
    { ...taken, amount_minor: 600, money_taken: false, taken_minor: 900 },
    300n,
  ],
  ['refunded, with two disputes that gave everything back', 1_000n, { ...taken, taken_minor: 0 }, 0n],
] as const)
  test(`a payment of £10 that was ${what} lost ${loss}p`, () => {
    const stored = dispute === null ? null : JSON.stringify(dispute)
    const payment = { amount_minor: 1_000n, refunded_minor: refunded, currency: 'GBP', dispute: stored }
    assert.equal(lossOf(payment).lossMinor, loss)
  })

test('money taken by banks is summed over disputes in the payment’s currency', () => {
  const disputes = [
    taken,
    { ...taken, amount_minor: 1n },
    { ...taken, money_taken: false },
    { ...taken, currency: 'EUR' },
  ]
  assert.equal(sumTaken(disputes, 'GBP'), 1_001n)
  assert.equal(sumTaken([], 'GBP'), 0n)
})

test('a loss is described in words, and no loss isn’t mentioned', () => {
  const loss = { lossMinor: 400n, refundedMinor: 400n, takenMinor: 1_000n, currency: 'GBP' }
  assert.equal(
    describeLoss(loss),
    'This payment made a loss of £4.00: you refunded £4.00, and the bank also took £10.00.',
  )
  assert.equal(
    describeLoss({ ...loss, refundedMinor: 0n, takenMinor: 1_400n }),
    'This payment made a loss of £4.00: you refunded nothing, and the bank also took £14.00.',
  )
  assert.equal(describeLoss({ ...loss, lossMinor: 0n }), undefined)
})
