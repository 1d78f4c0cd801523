import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelChanges } from '../../../../test/support/page-model.ts'
import {
  digits,
  key,
  merchantId,
  scriptCheckout,
  viewOf,
} from '../../../../test/support/scripted-checkout.ts'
import type { Offer } from '../../payments/attempts/hosted/offers.ts'
import { lookAgain, networkOfPayment, offersOf } from './look.ts'

const address = '192.0.2.7'
const hosted = { accountId: 'acc_1', connector: 'stripe', method: 'card', pageUrl: undefined } as const
const live = (changes: ModelChanges = {}) => viewOf({ mode: 'live', ...changes })

test('a network is asked while its page may bring news, but not for a customer on the way there', async () => {
  const looksAt = async (payment: ModelChanges, came: Parameters<typeof lookAgain>[3]) => {
    const { checkout, asked } = scriptCheckout({
      payment: { state: 'success' },
      answers: { lookAgain: 'new' },
    })
    const view = live(payment)
    const { view: seen } = await lookAgain(checkout, { digits, address }, view, came)
    return { asked, sees: seen === view ? 'the same' : seen.payment.state }
  }
  const nothing = { asked: [], sees: 'the same' }
  for (const came of ['by_itself', 'from_the_page'] as const) {
    const news = { asked: [['lookAgain', key, came]], sees: 'success' }
    for (const state of ['action_required', 'submitted', 'unknown'] as const)
      assert.deepEqual(await looksAt({ attempt: { state, hosted } }, came), news, state)
    for (const state of ['started', 'declined', 'succeeded', 'held'] as const)
      assert.deepEqual(await looksAt({ attempt: { state, hosted } }, came), nothing, state)
    assert.deepEqual(await looksAt({ attempt: { state: 'unknown' } }, came), nothing, 'a card of our page')
    assert.deepEqual(await looksAt({}, came), nothing, 'no attempt')
  }
  assert.deepEqual(await looksAt({ attempt: { state: 'submitted', hosted } }, 'to_the_page'), nothing)
})

test('the payment is read again after asking the network, and shown as before if it is gone', async () => {
  const read: unknown[] = []
  const readCheckout = async (...question: unknown[]) => void read.push(question)
  const { checkout } = scriptCheckout({ checkout: { readCheckout } })
  const view = live({ attempt: { state: 'submitted', hosted } })
  const looked = await lookAgain(checkout, { digits, address }, view, 'by_itself')
  assert.equal(looked.view, view)
  assert.deepEqual(read, [[digits, address]])
})

test('a page counts as open only if the network has just said so', async () => {
  for (const [looked, isPageOpen] of [
    ['still_open', true],
    ['nothing_new', false],
    ['new', false],
  ] as const) {
    const { checkout } = scriptCheckout({ answers: { lookAgain: looked } })
    const view = live({ attempt: { state: 'action_required', hosted } })
    const seen = await lookAgain(checkout, { digits, address }, view, 'from_the_page')
    assert.equal(seen.isPageOpen, isPageOpen, looked)
  }
})

test('the last attempt’s network is shown by its public name, and a card on our page has none', () => {
  const { checkout } = scriptCheckout()
  const named = (payment: ModelChanges) => networkOfPayment(checkout, live(payment))
  assert.deepEqual(named({ attempt: { hosted } }), { network: 'The network stripe', takesDays: false })
  assert.deepEqual(named({ attempt: { state: 'declined' } }), {})
  assert.deepEqual(named({}), {})
})

test('the choice of networks is offered, and test networks are marked on a live payment', async () => {
  const offer = (sandbox: boolean): Offer => ({
    accountId: 'acc_1',
    connector: 'stripe',
    label: 'Stripe',
    method: 'card',
    sandbox,
  })
  for (const [mode, offers, isSandbox] of [
    ['live', [offer(true)], true],
    ['live', [offer(false), offer(true)], true],
    ['live', [offer(false)], false],
    ['live', [], false],
    ['test', [offer(true)], false],
  ] as const) {
    const offered = { offers, amountOutOfRange: false }
    const { checkout, asked } = scriptCheckout({ answers: { offers: offered, isSandbox: !isSandbox } })
    const told = await offersOf(checkout, viewOf({ mode }), false)
    assert.deepEqual(told, { offered, isSandbox }, JSON.stringify([mode, offers]))
    assert.deepEqual(asked, [], 'no account has been chosen yet')
  }
})

test('after the choice, the attempt’s account decides whether it is test money', async () => {
  const paid: ModelChanges = { state: 'success', attempt: { state: 'succeeded', hosted } }
  for (const isSandbox of [true, false]) {
    const { checkout, asked } = scriptCheckout({ answers: { isSandbox } })
    const told = async (payment: ModelChanges, returned = false) =>
      offersOf(checkout, live(payment), returned)
    assert.deepEqual(await told(paid), { isSandbox })
    assert.deepEqual(await told({ attempt: { state: 'action_required', hosted } }, true), { isSandbox })
    const question = ['isSandbox', merchantId, 'acc_1']
    assert.deepEqual(asked, [question, question])
    assert.deepEqual(await told({ ...paid, mode: 'test' }), {})
    assert.deepEqual(await told({ state: 'success', attempt: { state: 'succeeded' } }), {})
    assert.deepEqual(await told({ state: 'cancelled' }), {})
    assert.equal(asked.length, 2, 'nobody else is asked')
  }
})
