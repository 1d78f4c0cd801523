import assert from 'node:assert/strict'
import { decide, type Decision } from '../src/core/test-network/bank/decide.ts'
import { readPages } from '../test/support/networks/test-bank-records.ts'
import { byBank } from '../test/support/hosted-choice.ts'
import { keyOf, onOne, type Real } from './model-commands.ts'
import * as model from './model.ts'
import type { ModelPayment } from './model.ts'

// What can happen on the test bank's own page, to the model and to a real house at once.

const choose = onOne('choose the bank', async (payment, real, m) => {
  const before = payment.attempt
  const { kind } = await real.house.app.payer.choose(keyOf(payment), byBank, 'en')
  if (payment.state !== 'pending') return assert.equal(kind, 'closed')
  if (before?.state === 'page') {
    const left = before.endsMs - m.nowMs
    // The page that is open is used again, while there is time enough to pay on it.
    if (before.found === 'open' && left >= 5 * 60_000) return assert.equal(kind, 'action_required')
    model.leavePage(payment)
    if ((payment.state as string) !== 'pending') return assert.notEqual(kind, 'action_required')
  }
  if (payment.attempt) return assert.equal(kind, 'in_flight')
  if (model.isOutOfTime(m)) {
    payment.state = 'expired'
    return assert.equal(kind, 'closed')
  }
  model.openPage(payment, m.nowMs)
  return assert.equal(kind, 'action_required')
})

function onPage(decision: Decision) {
  return onOne(`${decision} at the bank`, async (payment, real, m) => {
    const taken = await decideOnLast(real, payment, decision)
    const { attempt } = payment
    const isOpen = attempt?.state === 'page' && attempt.found === 'open' && m.nowMs < attempt.endsMs
    assert.equal(taken, isOpen)
    if (isOpen) attempt.found = decision === 'refuse' ? 'declined' : 'charged'
  })
}

async function decideOnLast(real: Real, payment: ModelPayment, decision: Decision): Promise<boolean> {
  const pages = await readPages(real.house.db, keyOf(payment))
  const page = pages.find(({ state }) => state === 'open') ?? pages.at(-1)
  if (!page) return false
  const place = { merchantId: page.merchant_id, reference: page.reference }
  return decide(real.house.db, place, decision, real.clock.now())
}

const comeBack = onOne('come back from the bank', async (payment, real, m) => {
  // Asked a moment ago: the story goes on faster than any customer, and nobody is asked twice in three seconds.
  m.nowMs += 4_000
  real.clock.jump(4_000)
  await real.house.app.payer.lookAgain(keyOf(payment), 'from_the_page')
  const { attempt } = payment
  if (attempt?.state !== 'page') return
  if (attempt.found !== 'open' || m.nowMs >= attempt.endsMs) return model.leavePage(payment)
  attempt.checks = 0
  attempt.nextMs = m.nowMs + 5_000
})

export const hostedCommands = [choose, choose, onPage('pay'), onPage('refuse'), comeBack]
