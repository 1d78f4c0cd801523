import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCardForm, type FieldMistakes } from './card-form.ts'

const now = new Date('2026-11-15T14:05:00Z')
const good = { number: '4242 4242 4242 4242', expiry: '12 / 29', cvc: '123', name: 'Ada Lovelace' }

function read(changes: Partial<typeof good> = {}): ReturnType<typeof readCardForm> {
  return readCardForm(new Map(Object.entries({ ...good, ...changes })), now)
}

function mistakes(changes: Partial<typeof good>): FieldMistakes {
  const result = read(changes)
  return result.ok ? {} : result.mistakes
}

test('card details are read in all the ways people type them', () => {
  const card = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2029, cvc: '123' }
  for (const changes of [
    {},
    { number: '4242-4242-4242-4242', expiry: '12/2029' },
    { number: ' 4242424242424242 ', expiry: '1229', cvc: ' 123 ' },
    { expiry: '2029-12' },
    { expiry: '2029/12' },
    { expiry: '202912' },
    { expiry: '122029' },
    { number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', expiry: '١٢/٢٩', cvc: '١٢٣' },
  ]) {
    assert.deepEqual(read(changes), {
      ok: true,
      card,
      typed: { expiry: changes.expiry ?? '12 / 29', name: 'Ada Lovelace' },
    })
  }
})

test('every mistake has its own message, and all are reported at once', () => {
  assert.deepEqual(mistakes({ number: '', expiry: '', cvc: '', name: ' ' }), {
    number: 'numberMissing',
    expiry: 'expiryMissing',
    cvc: 'cvcMissing',
    name: 'nameMissing',
  })
  assert.deepEqual(mistakes({ number: '4242 4242 4242 4241' }), { number: 'numberWrong' })
  assert.deepEqual(mistakes({ number: '4242 4242' }), { number: 'numberWrong' })
  assert.deepEqual(mistakes({ number: '4242 4242 4242 4242; drop' }), { number: 'numberWrong' })
  for (const expiry of [
    '13/29',
    '00/29',
    '1/2',
    'soon',
    '12/2099',
    '12/29/30',
    '2029-13',
    '2029-',
    '20291',
  ]) {
    assert.deepEqual(mistakes({ expiry }), { expiry: 'expiryWrong' }, expiry)
  }
  assert.deepEqual(mistakes({ expiry: '10/26' }), { expiry: 'expiryPast' })
  for (const cvc of ['12', '12345', 'abc']) assert.deepEqual(mistakes({ cvc }), { cvc: 'cvcWrong' }, cvc)
  assert.deepEqual(mistakes({ name: 'a'.repeat(100) }), {})
  assert.deepEqual(mistakes({ name: 'a'.repeat(101) }), { name: 'nameLong' })
})

test('American Express has four-digit security codes, all other cards three', () => {
  const amex = { number: '3782 822463 10005' }
  assert.deepEqual(mistakes({ ...amex, cvc: '1234' }), {})
  assert.deepEqual(mistakes({ ...amex, cvc: '123' }), { cvc: 'cvcWrongFront' })
  assert.deepEqual(mistakes({ cvc: '1234' }), { cvc: 'cvcWrong' })
})

test('a card is valid to the end of its month, wherever the customer lives', () => {
  assert.deepEqual(mistakes({ expiry: '11/26' }), {})
  const firstHours = new Date('2026-12-01T06:00:00Z')
  assert.equal(readCardForm(new Map(Object.entries({ ...good, expiry: '11/26' })), firstHours).ok, true)
})

test('an expiry date may be up to fifty years ahead, to the month', () => {
  for (const expiry of ['01/27', '11/2076']) assert.deepEqual(mistakes({ expiry }), {}, expiry)
  assert.deepEqual(mistakes({ expiry: '12/2076' }), { expiry: 'expiryWrong' })
})

test('a form shown again never includes the card number or security code', () => {
  const result = read({ expiry: '10/20', cvc: '987' })
  assert.deepEqual(result.typed, { expiry: '10/20', name: 'Ada Lovelace' })
})
