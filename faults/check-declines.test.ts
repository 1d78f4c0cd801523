import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/platform/database/sql.ts'
import { reconcile } from '../src/core/payments/attempts/reconcile.ts'
import { cards, openTill, secondMs, type Till } from '../test/support/till.ts'
import { declinesAreTheNetworks } from './check-declines.ts'

// The control of I20 without a process: the check has to fail once something is written that no network said.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const broken = async (): Promise<string[]> => declinesAreTheNetworks({ databaseUrl: till.db.url })

test('an attempt that was never sent passes the check, and fails it once it is written or counted as a decline', async () => {
  const key = await till.newPayment()
  assert.equal((await till.payer.pay(key, cards.declined)).kind, 'declined')
  await till.paying.startAttempt(key, till.network, { brand: 'Visa', last4: '4242' })
  till.forward(31 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.attempts(key))[1]?.state, 'not_sent')
  assert.deepEqual(await broken(), [])

  const count = async (level: number): Promise<unknown> =>
    till.db.query(sql`
      insert into decline_levels (merchant_id, mode, kind, name, level, level_at)
      values (${till.merchantId}, 'test', 'card', 'a card', ${level}, now())
      on conflict (merchant_id, mode, kind, name) do update set level = excluded.level`)
  await count(1)
  assert.deepEqual(await broken(), [])
  await count(2)
  assert.match((await broken()).join(), /2 declines are counted against each card/)
  await count(1)

  await till.db.query(sql`
    update attempts set state = 'declined'
    where merchant_id = ${till.merchantId} and number = ${key.number} and attempt = 2`)
  assert.match((await broken()).join(), /attempt 2 is declined, and no network declined it/)
})
