import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksIn, now, pageAsk, wordsOf, type AskChanges } from '../../../test/support/dashboard/page-ask.ts'
import { drawMatters, isExposed } from './attention.ts'
import type { Matter } from '../slots.ts'
import { showLater } from '../define-route.ts'
import { firstStepsPage, isYoung, partlyDownPage } from './first-steps.ts'

const matter: Matter = { tone: 'bad', title: 'Broken', detail: 'Very', to: '/fix', action: 'Fix' }

test('problems are listed with a link to each, and nothing is shown without any', () => {
  assert.equal(drawMatters([]), undefined)
  const drawn = drawMatters([matter, { ...matter, tone: 'warn', title: 'Odd' }])
  assert.match(wordsOf(drawn), /Needs attention × Broken Very Fix ! Odd Very Fix/)
  assert.match(drawn?.text ?? '', /<li class="bad">[^]*<li class="warn">/)
})

const seen = { exposed_at: now.toISOString(), revoked_at: null, ends_at: null, mode: null } as const
const later = new Date(now.getTime() + 1).toISOString()
for (const [changes, is] of [
  [{}, true],
  [{ exposed_at: null }, false],
  [{ revoked_at: now.toISOString() }, false],
  [{ ends_at: now.toISOString() }, false],
  [{ ends_at: later }, true],
  [{ mode: 'test' }, true],
  [{ mode: 'live' }, false],
] as const)
  test(`a key with ${JSON.stringify(changes)} is ${is ? '' : 'not '}exposed in test mode`, () => {
    assert.equal(isExposed({ ...seen, ...changes }, 'test', now), is)
  })

const steps = (ask: AskChanges, matters: readonly Matter[] = []): string =>
  wordsOf(firstStepsPage(pageAsk(ask), matters).body)

for (const [what, ask, words] of [
  [
    'in test mode',
    {},
    /Everything here is test data.* Try it in five minutes .* Create a payment .* Invite your team/,
  ],
  [
    'that is not live yet',
    { mode: 'live' },
    /Live payments are off .*operator of this Florin turns them on.* Going live/,
  ],
  ['that is live', { mode: 'live', merchant: { liveEnabled: true } }, /Create a key .* Create a payment/],
  ['without a password', { person: { hasPassword: false } }, /Set a password .* Try it in five minutes/],
] as const)
  test(`the first steps of a shop ${what} say what comes next`, () => {
    assert.match(steps(ask), words)
  })

test('completed steps, and those the person may not do, are left out', () => {
  assert.doesNotMatch(steps({ role: 'viewer' }), /Invite your team/)
  assert.doesNotMatch(steps({}), /Set a password/)
  assert.doesNotMatch(
    steps({ mode: 'live', merchant: { liveEnabled: true }, role: 'viewer' }),
    /Create a key/,
  )
  assert.doesNotMatch(steps({ mode: 'live', role: 'viewer' }), /Going live$/)
  assert.doesNotMatch(steps({ mode: 'live', person: { isOperator: true } }), /operator of this Florin/)
  assert.ok(!('Going live' in linksIn(firstStepsPage(pageAsk({ mode: 'live', role: 'viewer' }), []).body)))
  const account = { ...matter, to: '/dashboard/account', title: 'No password' }
  assert.doesNotMatch(steps({}, [account]), /No password/)
  assert.match(steps({}, [matter]), /Broken/)
})

for (const [payments, ask, is] of [
  [0, {}, true],
  [7, {}, true],
  [8, {}, false],
  [7, { mode: 'live' }, false],
  [7, { merchant: { liveEnabled: true } }, false],
  [7, { mode: 'live', merchant: { liveEnabled: true } }, false],
] as const)
  test(`a shop of ${JSON.stringify(ask)} with ${payments} payments ${is ? 'may be' : 'isn’t'} on its first steps`, () => {
    assert.equal(isYoung(pageAsk(ask), payments), is)
  })

test('a person whose shop is on a node that is away reads that it can’t be reached, and when to try again', () => {
  const answer = showLater(partlyDownPage())
  assert.ok(answer.kind === 'page')
  assert.deepEqual([answer.status, answer.headers], [503, { 'retry-after': '15' }])
  assert.match(wordsOf(answer.content.body), /Your shop can’t be reached right now .* Try again in a moment/)
})
