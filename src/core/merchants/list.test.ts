import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { insertRows } from '../../../test/support/rows.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createKey } from './change-keys.ts'
import { changeMerchant, createMerchant } from './create-merchant.ts'
import { everyMerchant, listKeys, listMerchants, takesLivePayments } from './list.ts'

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

test('merchants are listed with their permissions, and an installation is live once one of them is', async () => {
  assert.deepEqual([await listMerchants(db), await takesLivePayments(db)], [[], false])
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const [merchant] = await listMerchants(db)
  assert.deepEqual(merchant, {
    merchant: merchantId,
    name: 'Corner shop',
    live_enabled: false,
    suspended_at: null,
    forms_take_secret_keys: true,
    refund_fees: false,
    created_at: merchant?.created_at,
  })
  assert.equal(await takesLivePayments(db), false)
  await changeMerchant(db, merchantId, { liveEnabled: true })
  assert.equal(await takesLivePayments(db), true)
})

test('every merchant is visited once, in order, across several pages', async () => {
  for (const until of [20_000_998, 20_000_999, 20_001_001]) {
    await db.query(sql`delete from merchant_currencies`)
    await db.query(sql`delete from merchants`)
    const numbers = Array.from({ length: until - 19_999_999 }, (_, index) => 20_000_000 + index)
    await insertRows(
      db,
      'merchants',
      numbers.map((id) => ({ id, name: 'Corner shop' })),
    )
    const visited: number[] = []
    for await (const merchantId of everyMerchant(db)) visited.push(merchantId)
    assert.deepEqual(visited, numbers)
  }
})

test('keys are listed without their secrets, and form keys with their bounds', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const hosts = ['shop.example.com']
  const make = async (bounds: object, isSigned = false): Promise<string> => {
    const request = { kind: 'form', name: 'button', bounds: { hosts, ...bounds } } as const
    return (await createKey(db, merchantId, { ...request, ...(isSigned && { signing: testSecrets }) })).id
  }
  const open = {
    hosts,
    callback_hosts: hosts,
    tx_ref_prefix: null,
    currencies: null,
    min_minor: null,
    max_minor: null,
    signed: false,
    shows_title: false,
  }
  const old = await make({})
  const forms = new Map<string, object | null>([
    [(await createKey(db, merchantId, { kind: 'secret', name: 'till' })).id, null],
    // From before callbacks and titles were bound.
    [old, { ...open, callback_hosts: null, shows_title: true }],
    [await make({ maxMinor: 0n }), { ...open, max_minor: 0 }],
    [await make({ showsTitle: true }), { ...open, shows_title: true }],
    [await make({}, true), { ...open, signed: true, shows_title: true }],
    [
      await make({ callbackHosts: [], txRefPrefix: 'web-', currencies: ['GBP'], minMinor: 1n, maxMinor: 9n }),
      { ...open, callback_hosts: [], tx_ref_prefix: 'web-', currencies: ['GBP'], min_minor: 1, max_minor: 9 },
    ],
  ])
  await db.query(sql`
    update keys set form_callback_hosts = null, form_shows_title = null
    where merchant_id = ${merchantId} and id = ${old}`)
  const listed = await listKeys(db, merchantId)
  assert.deepEqual(new Map(listed.map(({ id, form }) => [id, form])), forms)
  await assert.rejects(listKeys(db, 10_000_000), { code: 'not_found', message: 'Merchant not found' })
})
