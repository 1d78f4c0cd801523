import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import {
  at,
  attempt,
  model,
  payment,
  sent,
  withPayment,
} from '../../../test/support/dashboard/payment-model.ts'
import { html } from '../../platform/http/html.ts'
import type { PaymentRow } from '../../core/payments/support/search-payments.ts'
import { cancelPage } from './cancel-page.ts'
import { indentJson } from './indent-json.ts'
import { paymentPage } from './payment-page.ts'
import { describeMethod } from './words.ts'

const home = '/dashboard/12345678/test'
function page(changes: object = {}, ask: AskChanges = {}) {
  return paymentPage(pageAsk({ path: '/12345678/test/payments/42', ...ask }), {
    ...model,
    ...changes,
  }).body
}

for (const [text, lines] of [
  ['{}', ['{}']],
  ['[]', ['[]']],
  ['{"a":[],"b":{}}', ['{', '  "a": [],', '  "b": {}', '}']],
  ['[[1],{"a":2}]', ['[', '  [', '    1', '  ],', '  {', '    "a": 2', '  }', ']']],
  ['{"big":12345678901234567890}', ['{', '  "big": 12345678901234567890', '}']],
  ['{"text":"{[,:]}"}', ['{', '  "text": "{[,:]}"', '}']],
  ['', ['']],
] as const)
  test(`${text || 'nothing'} is indented as it is`, () => {
    assert.equal(indentJson(text), lines.join('\n'))
  })

for (const [changes, words] of [
  [{}, 'Visa •••• 4242, test network'],
  [{ connector: 'stripe', card_brand: null, method: 'bank' }, 'Bank payment, Stripe'],
  [{ card_last4: null }, 'Card, test network'],
  [{ connector: 'new', card_brand: null, method: 'wallet' }, 'new'],
] as const)
  test(`an attempt with ${JSON.stringify(changes)} was paid by ${words}`, () => {
    assert.equal(describeMethod(pageAsk(), { ...attempt, ...changes } as never), words)
  })

for (const [what, changes, ask, actions] of [
  ['pending', withPayment({ state: 'pending' }), {}, ['Cancel payment']],
  ['pending, for a viewer', withPayment({ state: 'pending' }), { role: 'viewer' }, []],
  ['cancelled', withPayment({ state: 'cancelled' }), {}, []],
] as const)
  test(`a payment that is ${what} offers ${actions.join() || 'nothing'}`, () => {
    assert.deepEqual(
      Object.keys(linksIn(page(changes, ask))).filter((one) => one === 'Cancel payment'),
      actions,
    )
  })

test('what modules add stands in its place: notices above, facts beside the method and the money, actions in the head', () => {
  const [first, second] = [
    {
      notice: html`<p>Look out</p>`,
      methodFacts: [['Saved as', 'Visa']],
    },
    { action: html`<a href="/refund">Refund</a>`, moneyFacts: [['Network fee', '£0.10']] },
  ]
  const shown = page({ parts: [first, second], customerPath: `${home}/customers/one` })
  assert.deepEqual(Object.keys(factsIn(shown)).slice(0, 6), [
    'Customer',
    'Method',
    'Saved as',
    'Reference',
    'Network fee',
    'Created',
  ])
  assert.match(wordsOf(shown), /Refund .* Look out Details/)
  assert.equal(linksIn(shown)['ada@example.com'], `${home}/customers/one`)
  assert.ok(!('ada@example.com' in linksIn(page())), 'without customers there is no page to lead to')
})

test('a payment shows its link while it can be paid', () => {
  assert.match(wordsOf(page(withPayment({ state: 'pending' }))), /Works until 19 November 2026, 12:00 UTC/)
  assert.doesNotMatch(wordsOf(page()), /Works until/)
  const held = page({ ...withPayment({ state: 'pending' }), attempts: [{ ...attempt, state: 'held' }] })
  assert.doesNotMatch(wordsOf(held), /Works until/)
  assert.match(wordsOf(held), /pending needs a decision/)
})

test('facts that a payment doesn’t have are left out', () => {
  const facts = factsIn(page())
  assert.equal(facts['Customer'], 'Ada Lovelace ada@example.com')
  assert.equal(facts['Method'], 'Visa •••• 4242, test network')
  for (const label of ['Project', 'Title', 'Description', 'Returns to', 'Language'])
    assert.equal(facts[label], undefined, label)
  const pending = factsIn(page({ ...withPayment({ state: 'pending' }), attempts: [] }))
  assert.equal(pending['Method'], undefined)
  const more = page({
    ...withPayment({ title: 'Seats', project_id: 'prj_1', language: 'de' }),
    projectName: 'Web',
  })
  const { Title, Project, Language } = factsIn(more)
  assert.deepEqual([Title, Project, Language], ['Seats', 'Web', 'German'])
  assert.equal(linksIn(more)['Web'], `${home}/payments?project=prj_1`)
})

test('the method is that of the attempt that succeeded, else of the last one', () => {
  const [first, last] = [
    { ...attempt, card_last4: '0001' },
    { ...attempt, attempt: 2, state: 'declined', card_last4: '0002' },
  ]
  assert.match(factsIn(page({ attempts: [first, last] }))['Method'] ?? '', /0001/)
  assert.match(factsIn(page({ attempts: [{ ...first, state: 'declined' }, last] }))['Method'] ?? '', /0002/)
})

test('items and meta have their own parts where a payment has them', () => {
  assert.doesNotMatch(wordsOf(page()), /Items|Meta/)
  const items = JSON.stringify([
    { name: 'Seat', quantity: 2, unit_minor: '500', tax_rate: '20' },
    { name: 'Cup', quantity: 1, unit_minor: '0' },
  ])
  const shown = page(withPayment({ items, meta: '{"a":1}' }))
  assert.deepEqual(tableIn(shown).rows, [
    ['Seat', '2', '£5.00', '20%', '£10.00'],
    ['Cup', '1', '£0.00', '', '£0.00'],
  ])
  assert.deepEqual(tableIn(shown).figures, ['Quantity', 'Each', 'Tax', 'Total'])
  assert.match(shown.text, /aria-label="Meta"/)
})

test('the open view of a payment is marked', () => {
  assert.match(page().text, /payments\/42" aria-current="page">Overview/)
  assert.doesNotMatch(
    page({}, { path: '/12345678/test/payments/42/json' }).text,
    /aria-current="page">Overview/,
  )
})

for (const [what, changes, ask, canResend] of [
  ['delivered', {}, {}, true],
  ['without a receiver', { target: '' }, {}, false],
  ['kept in the mailbox', { kind: 'mail', state: 'kept' }, {}, false],
  ['delivered, for a bookkeeper', {}, { role: 'bookkeeper' }, false],
] as const)
  test(`a notification ${what} can${canResend ? '' : '’t'} be sent again`, () => {
    assert.equal('Send again' in formsIn(page({ notifications: [{ ...sent, ...changes }] }, ask)), canResend)
  })

test('notifications say what they are, when they are tried next, and refresh after they were sent again', () => {
  assert.doesNotMatch(wordsOf(page()), /Notifications and e-mails/)
  const waiting = { ...sent, state: 'waiting', next_try_at: at(60) }
  const shown = page({ notifications: [waiting, { ...sent, kind: 'mail', next_try_at: at(60) }] })
  assert.match(wordsOf(shown), /Notification payment\.success .* Next attempt: 18 November 2026, 12:01 UTC/)
  assert.equal(shown.text.match(/Next attempt/g)?.length, 1)
  assert.match(wordsOf(shown), /E-mail payment\.success/)
  assert.match(wordsOf(page({ notifications: [{ ...sent, target: '' }] })), /no callback_url/)
  const kept = { ...sent, state: 'kept', target: '' }
  assert.match(wordsOf(page({ notifications: [kept] })), /no callback_url not sent$/)
  assert.match(wordsOf(page({ notifications: [{ ...kept, kind: 'mail' }] })), /in the mailbox$/)
  assert.doesNotMatch(shown.text, /data-again/)
  const resent: AskChanges = { notice: 'notification_resent' }
  assert.match(page({ notifications: [waiting] }, resent).text, /data-again="notifications"/)
  assert.doesNotMatch(page({ notifications: [sent] }, resent).text, /data-again/)
})

test('notes are shown with who wrote them, and taken back by nobody else', () => {
  const note = { id: 'note_1', author: 'psn_ada', text: 'Called', created_at: at(0) }
  const own = page({ notes: [note], names: new Map([['psn_ada', 'Ada']]) })
  assert.match(wordsOf(own), /Notes Ada just now Delete Called/)
  assert.match(
    wordsOf(page({ notes: [{ ...note, author: 'psn_gone' }] })),
    /Someone who has left just now Called/,
  )
  const viewer = page({ notes: [note] }, { role: 'viewer' })
  assert.ok(!('Delete' in formsIn(viewer)) && !('Add note' in formsIn(viewer)))
  assert.doesNotMatch(wordsOf(page({}, { role: 'viewer' })), /Notes/)
  assert.ok('Add note' in formsIn(page()))
})

test('only a payment that is pending can be cancelled', () => {
  const shown = (state: string) => cancelPage(pageAsk(), { ...payment, state } as PaymentRow).body
  assert.match(shown('pending').text, /Cancel this payment<\/button>/)
  assert.match(wordsOf(shown('success')), /This payment is success, so it can’t be cancelled/)
  assert.doesNotMatch(shown('success').text, /<button class="danger">/)
})
