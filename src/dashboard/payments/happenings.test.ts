import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAsk, wordsOf } from '../../../test/support/dashboard/page-ask.ts'
import { at, attempt, model, sent, withPayment } from '../../../test/support/dashboard/payment-model.ts'
import { happeningsOf } from './happenings.ts'

const told = (changes: object) =>
  happeningsOf(pageAsk(), { ...model, attempts: [], ...changes }).map(
    ({ title, tone, detail }) =>
      [wordsOf(title), tone, detail === undefined ? undefined : wordsOf(detail)] as const,
  )

for (const [type, detail] of [
  ['API', 'By your server (API)'],
  ['Form', 'By a web form'],
  ['Link', 'By a payment link'],
] as const)
  test(`a payment of the type ${type} was created ${detail}`, () => {
    assert.deepEqual(told(withPayment({ type })), [['Payment created', undefined, detail]])
  })

for (const [event, attemptNumber, title, tone, detail] of [
  ['paid', null, 'Paid', 'good', undefined],
  ['attempts_used_up', null, 'Payment failed', 'bad', 'Too many declined attempts'],
  ['reversed_by_bank', null, 'The bank took the money back', 'bad', undefined],
  ['something_new', null, 'Something new', undefined, undefined],
  ['charged', 1, 'Attempt 1 succeeded', 'good', undefined],
  ['refused', 1, 'Attempt 1 was declined', 'bad', undefined],
  ['no_answer', 1, 'Attempt 1 got no answer', 'warn', 'Florin keeps asking the network'],
  ['something_new', 2, 'Attempt 2 Something new', undefined, undefined],
] as const)
  test(`the event ${event} of ${attemptNumber === null ? 'the payment' : 'an attempt'} is told as ${title}`, () => {
    const [first] = told({ history: [{ at: at(5), event, attempt: attemptNumber }] })
    assert.deepEqual(first, [title, tone, detail])
  })

test('a late payment says so, and a declined attempt why', () => {
  const paid = { history: [{ at: at(5), event: 'paid', attempt: null }] }
  assert.match(told({ ...paid, ...withPayment({ late: true }) })[0]?.[2] ?? '', /Late/)
  const declined = { ...attempt, decline_reason: 'insufficient_funds' }
  for (const [event, says] of [
    ['refused', true],
    ['given_up', true],
    ['charged', false],
  ] as const) {
    const history = [{ at: at(5), event, attempt: 1 }]
    const detail = told({ attempts: [declined], history })[0]?.[2]
    assert.equal(detail !== undefined, says, event)
  }
})

for (const [changes, words] of [
  [{ state: 'kept', kind: 'mail' }, 'E-mail payment.success is in the mailbox'],
  [{ state: 'kept', target: '' }, 'Notification payment.success not sent: the payment has no callback_url'],
  [{ target: '' }, 'Notification payment.success not sent: the payment has no callback_url'],
  [{ target: '', kind: 'mail' }, 'E-mail payment.success not sent'],
  [{ state: 'skipped', kind: 'mail' }, 'E-mail payment.success not sent'],
  [{ state: 'paused' }, 'Notification payment.success paused with its receiver'],
  [{ state: 'paused', kind: 'mail' }, 'E-mail payment.success is waiting for a mail server'],
  [{ state: 'waiting' }, 'Notification payment.success is waiting'],
] as const)
  test(`a notification with ${JSON.stringify(changes)} is told as ${words}`, () => {
    const found = told({ notifications: [{ ...sent, ...changes }] })[0]
    assert.equal(found?.[0], words)
    assert.equal(found?.[2], 'target' in changes ? undefined : 'To https://shop.example/ipn')
  })

for (const [status, error, tone] of [
  [200, null, undefined],
  [299, null, undefined],
  [300, null, 'bad'],
  [null, null, undefined],
  [null, 'timeout', 'bad'],
  [200, 'timeout', 'bad'],
] as const)
  test(`an attempt with the status ${status} and the error ${error} was ${tone === 'bad' ? 'not ' : ''}delivered`, () => {
    const tries = [{ attempt: 1, at: at(9), ms: 1_234, status, error, answer: null }]
    const [found, ...more] = told({ notifications: [{ ...sent, attempts: tries }] })
    assert.deepEqual(
      [found?.[0], found?.[1]],
      [`Notification payment.success ${tone === 'bad' ? 'not delivered' : 'delivered'}`, tone],
    )
    const what = `${status === null ? '' : `response ${status} `}${error === null ? '' : 'No answer in time '}`
    assert.match(found?.[2] ?? '', new RegExp(`attempt 1: ${what}after 1,234 ms$`))
    assert.equal(more.length, 1, 'it is told once')
  })

test('events are told the newest first, and a notification after what caused it', () => {
  const history = [{ at: at(2.5), event: 'paid', attempt: null }]
  const notifications = [{ ...sent, state: 'waiting' }]
  assert.deepEqual(
    told({ history, notifications }).map(([title]) => title),
    ['Notification payment.success is waiting', 'Paid', 'Payment created'],
  )
  const later = [{ at: at(3), event: 'paid', attempt: null }]
  assert.deepEqual(
    told({ history: later, notifications }).map(([title]) => title),
    ['Paid', 'Notification payment.success is waiting', 'Payment created'],
    'a second later it is another commit',
  )
})
