import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { Database, inTransaction } from '../../../platform/database/database.ts'
import { createMerchant } from '../create-merchant.ts'
import { insertPicture } from '../pictures/picture-store.ts'
import { findBrand, upsertBrand, type BrandRow } from './brand-store.ts'

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

const logoId = 'a'.repeat(32)
const nothing: BrandRow = {
  colour: null,
  website: null,
  support_email: null,
  support_phone: null,
  postal_address: null,
  company_number: null,
  vat_number: null,
  country: null,
  time_zone: null,
  statement_descriptor: null,
  embed_hosts: [],
  languages: [],
  receipt_first: false,
  method_order: [],
  terms_url: null,
  privacy_url: null,
  legal_notice_url: null,
  logo_id: null,
}

function brandOf(name: string): BrandRow {
  return {
    colour: '#123456',
    website: `https://${name}.example`,
    support_email: `${name}@shop.example`,
    support_phone: '+44 20 7946 0000',
    postal_address: `1 ${name} street`,
    company_number: `company ${name}`,
    vat_number: `vat ${name}`,
    country: 'GB',
    time_zone: 'Europe/London',
    statement_descriptor: `SHOP ${name.toUpperCase()}`,
    embed_hosts: [`${name}.example`],
    languages: ['en', 'de'],
    receipt_first: true,
    method_order: ['bank', 'card'],
    terms_url: `https://${name}.example/terms`,
    privacy_url: `https://${name}.example/privacy`,
    legal_notice_url: `https://${name}.example/legal`,
    logo_id: logoId,
  }
}

test('a brand belongs to one merchant, and is replaced as a whole', async () => {
  const own = await createMerchant(db, { name: 'One' })
  const other = await createMerchant(db, { name: 'Other' })
  const put = async (merchantId: number, row: BrandRow): Promise<void> =>
    inTransaction(db, async (tx) => upsertBrand(tx, merchantId, row))
  const logo = { type: 'image/png', width: 1, height: 1, bytes: Buffer.from('logo') } as const
  for (const merchantId of [own, other])
    await insertPicture(db, merchantId, { id: logoId, source: null, picture: logo })
  await put(own, brandOf('one'))
  assert.equal(await findBrand(db, other), undefined)
  await put(other, brandOf('other'))
  for (const row of [nothing, brandOf('another')]) {
    await put(own, row)
    assert.deepEqual(await findBrand(db, own), row)
    assert.deepEqual(await findBrand(db, other), brandOf('other'))
  }
})
