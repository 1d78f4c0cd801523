import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../../platform/database/database.ts'
import { readMerchant } from './authenticate.ts'
import { changeMerchant, createMerchant, disableCurrency, enableCurrency } from './create-merchant.ts'
import { changeFeePlan } from './operator/change-fee-plan.ts'
import { bySystem } from '../audit/audit.ts'

let home: TestDatabase
let db: Database
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

const nobody = 10_000_000

test('enabling a currency sets the starting fee, for an existing merchant', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  for (const currency of ['EUR', 'JPY', 'KWD']) await enableCurrency(db, merchantId, currency)
  assert.deepEqual(
    [...((await readMerchant(db, merchantId))?.currencies ?? [])],
    [
      ['EUR', 20n],
      ['GBP', 20n],
      ['JPY', 0n],
      ['KWD', 200n],
    ],
  )
  await assert.rejects(enableCurrency(db, nobody, 'EUR'), { code: 'not_found' })
  await assert.rejects(enableCurrency(db, merchantId, 'XXZ'), /XXZ is not supported/)
})

test('a currency disabled and enabled again keeps the operator’s fee, and the last one can’t be disabled', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop', currencies: ['EUR'] })
  const on = async () => [...((await readMerchant(db, merchantId))?.currencies ?? [])]
  const plan = { basisPoints: 200, fixed: new Map([['EUR', 55n]]) }
  await changeFeePlan(db, merchantId, plan, bySystem)
  await disableCurrency(db, merchantId, 'EUR')
  assert.deepEqual(await on(), [['GBP', 20n]])
  await assert.rejects(disableCurrency(db, merchantId, 'EUR'), { code: 'not_found' })
  await assert.rejects(disableCurrency(db, merchantId, 'GBP'), /You can't switch off the last currency/)
  await assert.rejects(changeFeePlan(db, merchantId, plan, bySystem), /EUR is not switched on/)
  await enableCurrency(db, merchantId, 'EUR')
  await enableCurrency(db, merchantId, 'EUR')
  assert.deepEqual(await on(), [
    ['EUR', 55n],
    ['GBP', 20n],
  ])
  await disableCurrency(db, merchantId, 'GBP')
  assert.deepEqual(await on(), [['EUR', 55n]])
  await assert.rejects(disableCurrency(db, nobody, 'GBP'), { code: 'not_found' })
})

test('a merchant is created for test mode only, unless live is requested', async () => {
  const tried = await createMerchant(db, { name: 'Corner shop' })
  assert.equal((await readMerchant(db, tried))?.liveEnabled, false)
  const real = await createMerchant(db, { name: 'Corner shop', liveEnabled: true })
  assert.equal((await readMerchant(db, real))?.liveEnabled, true)
  assert.equal(await readMerchant(db, nobody), undefined)
})

test('an invalid address is refused, and the old one is kept', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop', email: 'shop@example.com' })
  const longest = `${'a'.repeat(242)}@example.com`
  const wrong = ['', 'shop', 'shop@', '@example.com', 'a b@example.com', 'a@b@c', 'a@b,c@d', `a${longest}`]
  for (const email of wrong) {
    const rule = /email must be one e-mail address/
    await assert.rejects(changeMerchant(db, merchantId, { email }), rule, email)
    await assert.rejects(createMerchant(db, { name: 'Corner shop', email }), rule, email)
  }
  assert.equal((await readMerchant(db, merchantId))?.email, 'shop@example.com')
  await changeMerchant(db, merchantId, { email: longest })
  assert.equal((await readMerchant(db, merchantId))?.email, longest)
  await assert.rejects(changeMerchant(db, nobody, { email: longest }), { code: 'not_found' })
})
