import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testSecrets } from '../support/secrets.ts'
import { waitUntil } from '../support/wait-until.ts'
import { Database } from '../../src/platform/database/database.ts'
import type { Listener } from '../../src/platform/database/listen.ts'
import { listenPatiently } from '../support/listen-patiently.ts'
import { sql } from '../../src/platform/database/sql.ts'
import {
  addAccount,
  changeAccount,
  recordChecked,
  removeAccount,
} from '../../src/core/merchants/accounts/change-accounts.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { createKey, revokeKey, rollKey } from '../../src/core/merchants/change-keys.ts'
import {
  changeMerchant,
  createMerchant,
  disableCurrency,
  enableCurrency,
} from '../../src/core/merchants/create-merchant.ts'
import { changeFeePlan } from '../../src/core/merchants/operator/change-fee-plan.ts'
import { resumeMerchant, suspendMerchant } from '../../src/core/merchants/operator/suspend-merchant.ts'

// Servers remember merchants, keys and accounts for a minute. Whatever changes them has to say so.

let home: TestDatabase
let db: Database
let listener: Listener
const heard: string[] = []
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  listener = listenPatiently(home.url)
  listener.on('florin_merchants', (merchant) => heard.push(merchant))
  await waitUntil('it listens', () => listener.connected)
})
after(async () => {
  await listener.close()
  await db.close()
  await home.drop()
})

test('every change to a merchant, its keys and its accounts is announced to all servers', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const found = { label: 'Corner shop', sandbox: true, callbacks: 'set_up' } as const
  const account = { ...found, credentials: { secret_key: 'sk_test_1' } }
  let id = ''
  let keyId = ''
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    addAccount: async () =>
      (id = (await addAccount(db, testSecrets, merchantId, { ...account, connector: 'stripe' })) ?? ''),
    changeAccount: async () => changeAccount(db, testSecrets, { owner: merchantId, id }, account),
    recordChecked: async () => recordChecked(db, { owner: merchantId, id }, found),
    removeAccount: async () => removeAccount(db, { owner: merchantId, id }),
    changeBrand: async () => changeBrand(db, merchantId, { supportPhone: '+44 20 7946 0000' }),
    changeMerchant: async () => changeMerchant(db, merchantId, { name: 'Another name' }),
    enableCurrency: async () => enableCurrency(db, merchantId, 'CHF'),
    disableCurrency: async () => disableCurrency(db, merchantId, 'CHF'),
    changeFeePlan: async () =>
      changeFeePlan(db, merchantId, { basisPoints: 123, fixed: new Map() }, bySystem),
    suspendMerchant: async () => suspendMerchant(db, merchantId, bySystem),
    resumeMerchant: async () => resumeMerchant(db, merchantId, bySystem),
    rollKey: async () => {
      const made = await createKey(db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
      keyId = (await rollKey(db, merchantId, made.id, 1)).id
    },
    revokeKey: async () => revokeKey(db, merchantId, keyId),
  }
  for (const [name, change] of Object.entries(changes)) {
    heard.length = 0
    await change()
    // What is said later is heard later, so by then nothing of the change is still on its way.
    await db.query(sql`select pg_notify('florin_merchants', ${name})`)
    await waitUntil(`${name} is heard to its end`, () => heard.includes(name))
    assert.ok(heard.includes(String(merchantId)), `${name} is not announced`)
  }
})
