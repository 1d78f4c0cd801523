import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Database, violates } from '../../../platform/database/database.ts'
import { migrate, readMigrations } from '../../../platform/database/migrate.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { changeRules, type DayCeilings } from '../rules.ts'
import { makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { goodCard } from '../../../../test/support/customer.ts'
import { createEmptyDatabase } from '../../../../test/support/empty-database.ts'
import { fieldsIn } from '../../../../test/support/fields-in.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import {
  charge,
  charged,
  lookUp,
  payOnPage,
  pressSaved,
  saveCard,
  sendForm,
} from '../../../../test/support/saved-methods.ts'

// Charges of saved methods take room of the ceilings of a day, and tries of the method; declines and payments give them back.

let house: House
let clock: Clock
before(async () => {
  clock = makeStillClock()
  house = await openHouse({ world: { now: clock.now } })
})
after(() => house.close())

const cards = { asksLater: '4000 0027 6000 3184', softLater: '4000 0000 0000 0341' }
const by = { kind: 'system', name: 'test' } as const

async function setCeilings(ceilings: DayCeilings, currency = 'GBP'): Promise<void> {
  const scope = { merchantId: house.merchantId, mode: 'test' } as const
  await changeRules(house.app.core, scope, { ceilings: new Map([[currency, ceilings]]) }, by)
}

/** Of today; the empty id is the ceiling over all methods. */
async function reservedOf(id: string, currency = 'GBP'): Promise<string | undefined> {
  const [row] = await house.db.query<{ charged: string }>(sql`
    select charged_minor::text as charged from saved_method_days
    where merchant_id = ${house.merchantId} and method_id = ${id} and currency = ${currency}
      and day = ${clock.now().toISOString().slice(0, 10)}`)
  return row?.charged
}

const triesOf = async (id: string): Promise<number | undefined> => {
  const [row] = await house.db.query<{ tries: number }>(sql`
    select cardinality(tries) as tries from saved_methods where merchant_id = ${house.merchantId} and id = ${id}`)
  return row?.tries
}

test('a declined charge that took nothing of the ceiling over all methods gives nothing back to it', async () => {
  const good = await saveCard(house)
  const soft = await saveCard(house, cards.softLater)
  await setCeilings({ allMinor: 10_000n })
  assert.equal((await charged(house, good.id, { amount: '60' })).status, 'success')
  await setCeilings({})
  assert.equal((await charged(house, soft.id, { amount: '5000' })).status, 'failed')
  assert.equal(await reservedOf(''), '6000')
  assert.equal(await reservedOf(soft.id), '0')
  await setCeilings({ allMinor: 10_000n })
  assert.equal((await charge(house, good.id, { amount: '100' })).json.code, 'charge_limit')
  assert.equal((await charged(house, good.id, { amount: '40' })).status, 'success')
})

test('a declined charge gives both ceilings their room back, once', async () => {
  const soft = await saveCard(house, cards.softLater)
  await setCeilings({ methodMinor: 5_000n, allMinor: 10_000n }, 'EUR')
  await charged(house, soft.id, { amount: '50', currency: 'EUR' })
  assert.deepEqual([await reservedOf(soft.id, 'EUR'), await reservedOf('', 'EUR')], ['0', '0'])
  const [row] = await house.db.query<{ reserved: string | null }>(sql`
    select reserved from saved_method_charges where merchant_id = ${house.merchantId} and method_id = ${soft.id}`)
  assert.deepEqual(row, { reserved: null })
})

test('the database refuses to give back more than was taken', async () => {
  await assert.rejects(
    house.db.query(
      sql`update saved_method_days set charged_minor = -1 where merchant_id = ${house.merchantId}`,
    ),
    (error) => violates(error, 'saved_method_days_not_negative'),
  )
})

test('the upgrade sets sums below zero to zero, and leaves others alone', async (t) => {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const all = readMigrations()
  const since = all.findIndex(({ name }) => name.endsWith('_charges_reserve_once'))
  await migrate(database.url, all.slice(0, since))
  const db = new Database(database.url)
  t.after(() => db.close())
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  for (const [day, minor] of [
    ['2026-11-18', -494_000n],
    ['2026-11-19', 6_000n],
  ] as const)
    await db.query(sql`
      insert into saved_method_days (merchant_id, mode, method_id, currency, day, charges, charged_minor)
      values (${merchantId}, 'test', '', 'GBP', ${day}, 1, ${minor})`)
  await migrate(database.url, all)
  const rows = await db.query(sql`
    select charged_minor::integer as charged from saved_method_days where merchant_id = ${merchantId} order by day`)
  assert.deepEqual(rows, [{ charged: 0 }, { charged: 6_000 }])
})

test('the lower one of the agreement’s ceiling and the merchant’s holds', async () => {
  for (const [agreed, ours, holds] of [
    ['50', 1_000n, '10'],
    ['5', 1_000n, '5'],
    ['20', undefined, '20'],
    [undefined, 3_000n, '30'],
  ] as const) {
    const saved = await saveCard(house, goodCard, agreed === undefined ? {} : { save_limit: agreed })
    await setCeilings({ methodMinor: ours })
    const what = `${agreed} agreed, ${ours} allowed`
    assert.equal((await charge(house, saved.id, { amount: `${holds}.01` })).json.code, 'charge_limit', what)
    assert.equal((await charged(house, saved.id, { amount: holds })).status, 'success', what)
    assert.equal((await charge(house, saved.id, { amount: '0.50' })).json.code, 'charge_limit', what)
  }
  await setCeilings({})
})

test('a new card that pays a waiting charge forgives the saved card nothing; the saved card itself does', async () => {
  const waiting = async (id: string, txRef: string) => {
    const found = await charged(house, id, { tx_ref: txRef })
    assert.equal(found.failure?.code, 'needs_customer')
    const digits = found.checkout_url?.slice(-32) ?? ''
    return { url: `${house.url}/payment/${digits}`, txRef, digits }
  }
  const saved = await saveCard(house, cards.asksLater, { customer_ref: 'waits' })
  const first = await waiting(saved.id, 'waits-1')
  await payOnPage(first, goodCard)
  assert.equal((await lookUp(house, first.txRef)).status, 'success')
  assert.equal(await triesOf(saved.id), 1)
  const second = await waiting(saved.id, 'waits-2')
  assert.equal(await triesOf(saved.id), 2)
  await pressSaved(second)
  const page = (await call(second.url)).text
  await sendForm(`${second.url}/challenge`, { ...fieldsIn(page), answer: 'approve' })
  assert.equal((await lookUp(house, second.txRef)).status, 'success')
  assert.equal(await triesOf(saved.id), 0)
})
