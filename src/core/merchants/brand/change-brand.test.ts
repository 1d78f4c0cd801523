import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, openWitness, type WitnessedCall, type Witness } from '../../../../test/support/witness.ts'
import { sql } from '../../../platform/database/sql.ts'
import { readMerchant } from '../authenticate.ts'
import { createMerchant } from '../create-merchant.ts'
import { contentIdOf, type Picture } from '../pictures/pictures.ts'
import { plainBrand } from './brand.ts'
import { changeBrand } from './change-brand.ts'

let witness: Witness
before(async () => {
  witness = await openWitness()
})
after(() => witness.close())

type Changes = Parameters<typeof changeBrand>[2]

const logo: Picture = { type: 'image/png', width: 1, height: 1, bytes: Buffer.from('logo') }
const logoId = contentIdOf(logo)

async function picturesOf(merchantId: number): Promise<unknown[]> {
  const rows = await witness.db.query<{ id: string }>(
    sql`select id from pictures where merchant_id = ${merchantId}`,
  )
  return rows.map(({ id }) => id)
}

test('each brand change leaves the rest, notifies all servers and is audited once', async () => {
  const { db } = witness
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  let brand = plainBrand
  const steps: readonly (readonly [Changes, is: object, was: object, written: object])[] = [
    [
      { supportEmail: 'help@shop.example' },
      { supportEmail: 'help@shop.example' },
      { support_email: null },
      { support_email: 'help@shop.example' },
    ],
    [{ logo }, { logoId }, { logo: null }, { logo: logoId }],
    [
      { supportEmail: '', languages: ['de', 'en'] },
      { supportEmail: undefined, languages: ['de', 'en'] },
      { support_email: 'help@shop.example', languages: [] },
      { support_email: null, languages: ['de', 'en'] },
    ],
    [{ logo: 'none' }, { logoId: undefined }, { logo: logoId }, { logo: null }],
  ]
  for (const [changes, is, was, written] of steps) {
    brand = { ...brand, ...is }
    const change = async (): Promise<WitnessedCall> =>
      witness.see(merchantId, async () => {
        assert.deepEqual(await changeBrand(db, merchantId, changes, ada), brand)
      })
    const act = { action: 'merchant.changed', subject: String(merchantId), actor: 'ada' }
    assert.deepEqual(await change(), { acts: [{ ...act, before: was, after: written }], isTold: true })
    assert.deepEqual((await readMerchant(db, merchantId))?.brand, brand)
    assert.deepEqual((await change()).acts, [])
  }
  // A page that is open shows it still.
  assert.deepEqual(await picturesOf(merchantId), [logoId])
})

test('an unknown merchant’s brand can’t be changed', async () => {
  const nobody = 10_000_000
  const seen = await witness.see(nobody, async () => {
    await assert.rejects(changeBrand(witness.db, nobody, { logo }), {
      code: 'not_found',
      message: 'Merchant not found',
    })
  })
  assert.deepEqual(seen, { acts: [], isTold: false })
  assert.deepEqual(await picturesOf(nobody), [])
})
