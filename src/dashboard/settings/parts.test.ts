import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formsIn,
  linksIn,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import type { LiveFinding } from '../ask.ts'
import { goingLivePage, stepOf, type Step } from './live/page.ts'
import { area, inLabels, mayChange, radio } from './parts.ts'

const note = { name: 'note', label: 'Note', hint: 'A hint', value: 'typed' }

for (const [mistakes, described] of [
  [{}, 'note-hint'],
  [{ note: 'Too long' }, 'note-hint note-error'],
  [{ other: 'Too long' }, 'note-hint'],
] as const)
  test(`a text area with ${JSON.stringify(mistakes)} is described by ${described}`, () => {
    const { text } = area(note, mistakes)
    assert.equal(/aria-describedby="([^"]*)"/.exec(text)?.[1], described)
    for (const id of described.split(' ')) assert.ok(text.includes(`id="${id}"`), id)
    assert.equal(text.includes('aria-invalid="true"'), described.includes('error'))
  })

test('one of two choices is chosen', () => {
  assert.match(radio('a', '1', true, 'One', '').text, /value="1" checked/)
  assert.doesNotMatch(radio('a', '1', false, 'One', '').text, /checked/)
})

test('a mistake names the field as the form labels it', () => {
  const labels = { pay_within: 'Time to pay' }
  assert.deepEqual(
    inLabels(
      { pay_within: 'pay_within is too long', other: 'other is wrong', form: 'pay_within is' },
      labels,
    ),
    { pay_within: 'Time to pay is too long', other: 'other is wrong', form: 'pay_within is' },
  )
  assert.deepEqual(inLabels({ pay_within: 'must be more' }, labels), { pay_within: 'must be more' })
})

test('owners alone change settings', () => {
  assert.equal(mayChange(pageAsk()), true)
  assert.equal(mayChange(pageAsk({ role: 'developer' })), false)
})

const done: Step = { what: 'A network', isDone: true, isOptional: false, mend: 'never shown' }
const missing: Step = { what: 'A currency', isDone: false, isOptional: false, mend: 'Connect one' }
const optional: Step = { what: 'A mail server', isDone: false, isOptional: true, mend: 'Set one' }

function live(steps: readonly Step[], changes: AskChanges = {}, how: 'ask' | 'remember' = 'ask') {
  const ask = pageAsk(changes)
  return goingLivePage(ask, { merchant: ask.place.merchant, steps, how }).body
}
const operator: AskChanges = { person: { isOperator: true } }

for (const [what, steps, button] of [
  ['every step is done', [done, done], 'Turn live payments on'],
  ['only recommended steps are missing', [done, optional], 'Turn on without the recommended steps'],
  ['a step is missing', [done, missing], undefined],
  ['a step is missing beside a recommended one', [missing, optional], undefined],
] as const)
  test(`when ${what} an operator ${button === undefined ? 'can’t go live' : `is offered “${button}”`}`, () => {
    const page = live(steps, operator)
    const buttons = Object.keys(formsIn(page)).filter((one) => one.startsWith('Turn'))
    assert.deepEqual(buttons, button === undefined ? [] : [button])
    assert.equal(wordsOf(page).includes('Finish the steps above first'), button === undefined)
    assert.equal(page.text.includes('name="force" value="yes"'), button?.includes('without') === true)
    assert.equal(wordsOf(page).includes('You’re ready to go live.'), button !== undefined)
  })

for (const [what, changes] of [
  ['an owner who is no operator', {}],
  ['an operator who can’t change settings', { ...operator, role: 'developer' }],
] as const)
  test(`${what} asks the operator to turn live payments on`, () => {
    const page = live([done], changes)
    assert.match(wordsOf(page), /Ask the operator of this Florin/)
    assert.ok(!Object.keys(formsIn(page)).some((one) => one.startsWith('Turn')))
  })

test('a shop that is live is led to its live keys, and a suspended one is told so', () => {
  const page = live([done], { ...operator, merchant: { liveEnabled: true } })
  assert.equal(linksIn(page)['Keys'], '/dashboard/12345678/live/keys')
  assert.match(wordsOf(page), /Live payments are on\. live/)
  assert.doesNotMatch(wordsOf(live([done])), /Live payments are on/)
  assert.match(wordsOf(live([done])), /test only/)
  assert.match(
    wordsOf(live([done], { merchant: { liveEnabled: true, isSuspended: true } })),
    /has suspended this shop/,
  )
})

test('steps are counted, and each missing one says how to fix it', () => {
  const page = wordsOf(live([done, missing, optional]))
  assert.match(page, /1 of 3 done\./)
  assert.match(page, /A network done A currency Connect one missing A mail server Set one recommended/)
  assert.doesNotMatch(page, /never shown/)
})

test('the networks are asked again by who can change settings, and older answers are marked as such', () => {
  assert.ok('Check again' in formsIn(live([done])))
  assert.ok('Check the networks now' in formsIn(live([done], {}, 'remember')))
  assert.match(wordsOf(live([done], {}, 'remember')), /last responses/)
  assert.doesNotMatch(wordsOf(live([done])), /last responses/)
  assert.deepEqual(formsIn(live([done], { role: 'developer' })), {})
})

const finding: LiveFinding = { about: 'network', is: 'missing', what: 'Stripe', remedy: 'set MAIL_URL' }
const networks = '/dashboard/12345678/live/settings/networks'

for (const [about, links, words] of [
  ['network', { Networks: networks }, /^Fix in Networks$/],
  [
    'currency',
    { Networks: networks, Payments: '/dashboard/12345678/test/settings/payments' },
    /turn the currency off/,
  ],
  ['mail', {}, /^For the operator of this Florin: set MAIL_URL$/],
] as const)
  test(`a missing step about ${about} leads to where it is fixed`, () => {
    const { mend = '', isDone } = stepOf(pageAsk(), { ...finding, about })
    assert.equal(isDone, false)
    assert.match(wordsOf(mend), words)
    if (typeof mend !== 'string') assert.deepEqual(linksIn(mend), links)
  })

test('a step is optional when leaving it out loses nothing, and needs no fix once it is done', () => {
  assert.equal(stepOf(pageAsk(), finding).isOptional, false)
  assert.equal(stepOf(pageAsk(), { ...finding, skippable: true }).isOptional, true)
  const { isDone, mend } = stepOf(pageAsk(), { ...finding, is: 'ok' })
  assert.deepEqual([isDone, mend], [true, undefined])
})
