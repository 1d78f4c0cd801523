import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passesLuhn } from '../../platform/money/luhn.ts'
import { findTestCard, savedTestCards, testCards } from './cards.ts'

// Our own Luhn, not that of payments: a room does not know the hall above it.
test('every test card passes Luhn, so pages may validate input', () => {
  for (const { number } of [...testCards, ...savedTestCards]) assert.ok(passesLuhn(number), number)
})

test('every outcome in the contract has a card', () => {
  const outcomes = testCards.map(({ outcome }) =>
    outcome.kind === 'declined'
      ? outcome.reason
      : outcome.kind === 'time_out'
        ? `time_out, found ${outcome.found}`
        : outcome.kind === 'disputed'
          ? `disputed, ${outcome.end}`
          : outcome.kind === 'charged' && outcome.refund
            ? `charged, refund ${outcome.refund}`
            : outcome.kind,
  )
  assert.deepEqual(outcomes.toSorted(), [
    'challenge',
    'charged',
    'charged',
    'charged',
    'charged, refund fails',
    'charged, refund succeeds_later',
    'declined',
    'disputed, lost',
    'disputed, open',
    'disputed, won',
    'expired_card',
    'insufficient_funds',
    'processing_error',
    'time_out, found charged',
    'time_out, found declined',
    'wrong_cvc',
  ])
})

test('a card number is found with any spacing, and unknown numbers are not found', () => {
  assert.equal(findTestCard('4242 4242 4242 4242')?.last4, '4242')
  assert.equal(findTestCard('4242-4242-4242-4242')?.last4, '4242')
  assert.equal(findTestCard('4242424242424241'), undefined)
  assert.equal(findTestCard(''), undefined)
})
