import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { openTill, secondMs, type Till } from '../support/till.ts'
import { byBank } from '../support/hosted-choice.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { runFlorin } from '../support/run-florin.ts'

// What a person does about money that a network took otherwise than it was asked to.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const florin = async (...args: string[]) => runFlorin(['held', ...args], { DATABASE_URL: till.db.url })

test('a held charge is listed with both amounts, returned after a confirmation, and gone from the list', async () => {
  const nothing = await florin('list')
  assert.match(nothing.err + nothing.out, /No test charge needs a person/)

  const key = await till.newPayment()
  const { tx_ref: txRef } = await till.read(key)
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  await till.db.query(
    sql`update test_network.pages set amount_minor = 1 where payment_number = ${key.number}`,
  )
  till.forward(31 * secondMs)
  await reconcile(till.paying)

  const listed = await florin('list')
  assert.match(listed.out, new RegExp(`${txRef} .*held .*£0\\.01 .*test-bank .*tb_`))
  const [entry] = JSON.parse((await florin('list', '--json')).out) as { charged_minor: string }[]
  assert.equal(entry?.charged_minor, '1')

  const unasked = await florin('return', txRef)
  assert.notEqual(unasked.code, 0)
  assert.match(unasked.err, /Send £0\.01 back.*--yes/)
  assert.equal((await till.attempts(key))[0]?.state, 'held')

  assert.equal((await florin('return', txRef, '--yes')).code, 0)
  assert.notEqual((await florin('return', txRef, '--yes')).code, 0)
  // The command went by the real clock, which may be ahead of the till's: that one stands still.
  till.forward(600 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.attempts(key))[0]?.state, 'returned')
  assert.equal(await till.bankKeeps(key), 0n)
})

test('status counts live charges waiting for a person', async () => {
  const status = async (...args: string[]) =>
    (await runFlorin(['status', '--only', 'database', ...args], { DATABASE_URL: till.db.url })).out
  const held = async () =>
    (JSON.parse(await status('--json')) as { database: { held: number } }).database.held
  assert.equal(await held(), 0)
  assert.doesNotMatch(await status(), /^Held/m)
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  // As a live network would leave it.
  await till.db.query(sql`
    update attempts set state = 'held' where merchant_id = ${key.merchantId} and number = ${key.number}`)
  assert.equal(await held(), 0, 'of test mode nobody has to look at any')
  await till.db.query(sql`
    update payments set mode = 'live' where merchant_id = ${key.merchantId} and number = ${key.number}`)
  assert.equal(await held(), 1)
  assert.match(await status(), /^Held +1 live charge waits for a person: florin held list --mode live$/m)
})

test('held needs a command and an order', async () => {
  assert.match((await florin()).err, /florin held list or return/)
  assert.match((await florin('return')).err, /Name one: florin held return/)
  assert.match((await florin('return', 'no-such-order', '--yes')).err, /Nothing is held for no-such-order/)
})
