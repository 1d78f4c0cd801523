import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feeReturned, type WentBack } from './fee-returned.ts'

const nothing: WentBack = { amountMinor: 0n, feeMinor: 0n }

test('a refund returns its share of the fee, rounded down over the total refunded', () => {
  const payment = { amount_minor: 1_000n, charge_minor: 34n }
  for (const [amount, before, fee] of [
    [1_000n, nothing, 34n],
    [500n, nothing, 17n],
    [1n, nothing, 0n],
    [29n, nothing, 0n],
    [30n, nothing, 1n],
    [999n, nothing, 33n],
    [500n, { amountMinor: 500n, feeMinor: 17n }, 17n],
    [1n, { amountMinor: 29n, feeMinor: 0n }, 1n],
    [970n, { amountMinor: 30n, feeMinor: 1n }, 33n],
  ] as const)
    assert.equal(
      feeReturned(payment, { amount_minor: amount }, before),
      fee,
      `${amount} after ${before.amountMinor}`,
    )
})

test('partial refunds of any size return exactly the whole fee', () => {
  const payment = { amount_minor: 97n, charge_minor: 31n }
  for (const part of [1n, 2n, 3n, 7n, 13n, 48n, 96n, 97n]) {
    let before = nothing
    while (before.amountMinor < payment.amount_minor) {
      const left = payment.amount_minor - before.amountMinor
      const amount = part < left ? part : left
      const fee = feeReturned(payment, { amount_minor: amount }, before)
      before = { amountMinor: before.amountMinor + amount, feeMinor: before.feeMinor + fee }
    }
    assert.equal(before.feeMinor, payment.charge_minor, `parts of ${part}`)
  }
})

test('after a bounced refund no more than the whole fee is returned', () => {
  // Of a fee of 11 the thirds bring 3, 4 and 4. The first came home: the second keeps its 4.
  const payment = { amount_minor: 3n, charge_minor: 11n }
  const third = { amount_minor: 1n }
  assert.equal(feeReturned(payment, third, { amountMinor: 1n, feeMinor: 4n }), 3n)
  assert.equal(feeReturned(payment, third, { amountMinor: 2n, feeMinor: 7n }), 4n)
})

test('a share already returned isn’t taken from the merchant again', () => {
  const payment = { amount_minor: 1_000n, charge_minor: 34n }
  assert.equal(feeReturned(payment, { amount_minor: 1n }, { amountMinor: 29n, feeMinor: 2n }), 0n)
})
