import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTill, type Till } from '../../../../test/support/till.ts'
import { makeTwins, twinNumbers } from '../../../../test/support/twins.ts'
import { sql } from '../../../database/sql.ts'
import { listAttempts } from '../attempt-store.ts'
import { findByKeys, findStanding } from './hosted-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const { busy, open } = twinNumbers
const nobodys = '123456789012345678901234'

test('payments are found with the last attempt of each, in the order in which they are asked for', async () => {
  const twins = await makeTwins(till.db)
  await twins.forEach(async (own) => {
    await till.db.query(sql`delete from attempts where merchant_id = ${own} and number = ${open}`)
    const found = await findStanding(till.db, own, [open, nobodys, busy, open])
    assert.deepEqual(
      found.map((one) => one && [one.payment.merchant_id, one.payment.number, one.lastAttempt?.attempt]),
      [[own, open, undefined], undefined, [own, busy, 2], [own, open, undefined]],
    )
  })
})

test('an attempt is found by the key that its network got, at its own merchant and on a page of a network', async () => {
  const twins = await makeTwins(till.db)
  await twins.forEach(async (own, other) => {
    const attempts = await listAttempts(till.db, { merchantId: own, number: busy })
    const [first = '', second = ''] = attempts.map((attempt) => attempt.idempotency_key)
    await till.db.query(sql`
      update attempts set account_id = 'acc_1', method = 'card'
      where merchant_id = ${own} and number = ${busy} and attempt = 2`)
    const found = await findByKeys(till.db, own, [first, 'unheard', second])
    assert.deepEqual(
      found.map((attempt) => attempt?.attempt),
      [undefined, undefined, 2],
      'the first was paid on our own page',
    )
    assert.ok((await findByKeys(till.db, other, [second])).every((one) => one?.merchant_id !== own))
  })
})
