import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAnswer, describeCallbacks, describeMoney } from './describe-answer.ts'

const network = { label: 'Fakepay' }
const works = { kind: 'works', accountName: 'Corner shop (acct_1)' } as const

for (const [answer, expected] of [
  [
    { ...works, sandbox: true, callbacks: 'set_up' },
    'Fakepay works: Corner shop (acct_1), sandbox, no real money; callbacks are set up.',
  ],
  [
    { ...works, sandbox: false, callbacks: 'missing' },
    'Fakepay works: Corner shop (acct_1), live; callbacks are not set up.',
  ],
  [
    { ...works, sandbox: false, callbacks: 'unknown' },
    'Fakepay works: Corner shop (acct_1), live; callbacks can’t be seen from here.',
  ],
  [{ kind: 'refused', why: 'unknown key' }, 'Fakepay rejected these credentials: unknown key.'],
  [{ kind: 'no_answer', why: 'status 503' }, 'No answer from Fakepay: status 503.'],
] as const)
  test(`an account is reported as "${expected}"`, () => {
    assert.equal(describeAnswer(network, answer).replaceAll("'", '’'), expected)
  })

const escape = '\u001B[2J'
for (const answer of [
  { ...works, accountName: escape, sandbox: true, callbacks: 'set_up' },
  { kind: 'refused', why: escape },
  { kind: 'no_answer', why: escape },
] as const)
  test(`a network’s text can’t control the terminal when it ${answer.kind}`, () => {
    assert.equal(describeAnswer(network, answer).includes(escape), false)
  })

test('each state of callbacks, and each kind of money, has its own words', () => {
  const callbacks = ['set_up', 'missing', 'unknown'] as const
  assert.equal(new Set(callbacks.map(describeCallbacks)).size, 3)
  assert.notEqual(describeMoney(true), describeMoney(false))
})
