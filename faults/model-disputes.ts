import assert from 'node:assert/strict'
import fc from 'fast-check'
import { checkReportedDispute } from '../src/modules/disputes/check-reported-dispute.ts'
import { sql } from '../src/platform/database/sql.ts'
import { cardOf } from '../test/support/till.ts'
import { command, keyOf, onOne, runJob, type Real } from './model-commands.ts'
import * as model from './model.ts'
import type { Model, ModelPayment } from './model.ts'

// Banks that ask for money back, to the model and to a real house at once.

const cards = { won: cardOf('4000000000002685'), lost: cardOf('4000000000000259') }

function payDisputed(end: keyof typeof cards) {
  return onOne(`pay with a card that is disputed and ${end}`, async (payment, real, m) => {
    if (payment.state !== 'pending' || payment.attempt || model.isOutOfTime(m)) return
    const { kind } = await real.house.app.payer.pay({ ...keyOf(payment), mode: 'test' }, cards[end])
    assert.equal(kind, 'paid')
    payment.attempts += 1
    model.charged(payment)
    payment.dispute = { sinceMs: m.nowMs, end, state: 'none' }
  })
}

/** Two workers at once. The clock never stands where a slow machine decides whether a dispute is over. */
const askAboutDisputes = fc.constantFrom(10_000, 100_000).map((ms) =>
  command(`${ms / 1_000} s pass, then ask about disputes`, async (m, real) => {
    pass(m, real, ms)
    while (m.payments.some((payment) => model.isNearEnd(payment, m.nowMs))) pass(m, real, 20_000)
    for (const payment of m.payments) model.follow(payment, m.nowMs)
    await Promise.all([runJob(real, 'disputes'), runJob(real, 'disputes')])
  }),
)

function pass(m: Model, real: Real, ms: number): void {
  m.nowMs += ms
  real.clock.jump(ms)
}

/** A callback that comes again, long after it was true, changes nothing that the network does not say. */
const tellAgain = onOne('tell of a dispute again', async (payment, real, m) => {
  const { merchantId, number } = keyOf(payment)
  const [row] = await real.house.db.query<{ reference: string }>(sql`
    select reference from disputes where merchant_id = ${merchantId} and number = ${number}`)
  if (!row) return
  while (model.isNearEnd(payment, m.nowMs)) pass(m, real, 20_000)
  model.follow(payment, m.nowMs)
  const asked = { merchantId, connector: 'test-network', accountId: 'acc_test-network', ...row }
  const ask = async () => checkReportedDispute(real.house.app.paying, asked)
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['asked', 'asked', 'asked'])
})

/** What merchants were told of disputes: the opening at most once, the end at most once, and a success never twice. */
export async function disputesAreTold(real: Real, payment: ModelPayment): Promise<void> {
  const { merchantId, number } = keyOf(payment)
  const rows = await real.house.db.query<{ event: string; count: number }>(sql`
    select event, count(*)::integer as count from deliveries
    where merchant_id = ${merchantId} and number = ${number} and kind = 'ipn' group by event`)
  for (const { event, count } of rows)
    assert.equal(count, 1, `${payment.txRef}: ${event} came ${count} times`)
  const ends = rows.map(({ event }) => event).filter((event) => /^dispute\.(won|lost)$/.test(event))
  const expected = payment.dispute ? [`dispute.${payment.dispute.end}`] : []
  assert.deepEqual(ends, expected, payment.txRef)
}

export const disputeCommands = [payDisputed('won'), payDisputed('lost'), askAboutDisputes, tellAgain]
