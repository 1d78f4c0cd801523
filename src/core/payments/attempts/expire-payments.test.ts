import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { attemptByCard, openDesk } from '../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { sql } from '../../../platform/database/sql.ts'
import { DatabaseUnavailable } from '../../../platform/errors/database-unavailable.ts'
import { expireJob } from './expire-payments.ts'

let till: Till
before(async () => {
  till = await openTill()
})
afterEach(forget)
after(() => till.close())

/** No payment of earlier is in the way. */
async function forget(): Promise<void> {
  await till.db.query(sql`update payments set state = 'expired' where merchant_id = ${till.merchantId}`)
}

/** Ends payments that are out of time, those that stand at `stuck` not: what is said of the first of them fails. */
async function expire(payments: number, stuck: readonly number[], error = new Error('does not move')) {
  await forget()
  const numbers: string[] = []
  for (let made = 0; made < payments; made += 1) {
    const { number } = await attemptByCard(till, { state: 'declined' }, { expires_at: till.paying.now() })
    numbers.push(number)
  }
  const failing = stuck.flatMap((place) => numbers[place] ?? [])
  const { outbox } = till.paying
  let failures = 0
  const desk = openDesk(
    till,
    {},
    {
      outbox: {
        ...outbox,
        async write(tx, deliveries) {
          if (!deliveries.some(({ number }) => failing.includes(number ?? '')))
            return outbox.write(tx, deliveries)
          failures += 1
          throw error
        },
      },
    },
  )
  const { name, everyMs, run } = expireJob(desk.paying)
  assert.deepEqual([name, everyMs], ['expire', 5_000])
  const count = await run()
  const { merchantId } = till
  const states = await Promise.all(
    numbers.map(async (number) => (await till.read({ merchantId, number })).state),
  )
  return { count, states, failures, log: desk.log() }
}

const ofOne: [string, string] = ['error', 'Could not expire a payment']
const ofMerchant: [string, string] = ['error', "Could not expire a merchant's payments"]

test('payments expire together, or one by one if that fails, so that a failing one doesn’t keep others open', async () => {
  assert.deepEqual(await expire(0, []), { count: 0, states: [], failures: 0, log: [] })
  assert.deepEqual(await expire(2, []), { count: 2, states: ['expired', 'expired'], failures: 0, log: [] })
  assert.deepEqual(await expire(2, [0]), {
    count: 1,
    states: ['pending', 'expired'],
    failures: 2,
    log: [ofOne],
  })
  assert.deepEqual(await expire(3, [0, 2]), {
    count: 1,
    states: ['pending', 'expired', 'pending'],
    failures: 3,
    log: [ofOne, ofOne],
  })
  assert.deepEqual(await expire(1, [0]), { count: 0, states: ['pending'], failures: 1, log: [ofMerchant] })
})

test('an unavailable database is not asked again for each payment', async () => {
  assert.deepEqual(await expire(2, [0], new DatabaseUnavailable(false)), {
    count: 0,
    states: ['pending', 'pending'],
    failures: 1,
    log: [ofMerchant],
  })
})

test('a payment with an attempt in flight doesn’t expire', async () => {
  const { merchant_id: merchantId, number } = await attemptByCard(till, {}, { expires_at: till.paying.now() })
  const visiting = { ...till.paying.findDue, withPaymentsOutOfTime: async () => [merchantId] }
  assert.equal(await expireJob({ ...till.paying, findDue: visiting }).run(), 0)
  assert.equal((await till.read({ merchantId, number })).state, 'pending')
})
