import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digits, merchantId, viewOf } from '../../../../test/support/scripted-checkout.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { pictureIdOf, type Pictures } from '../../merchants/pictures/pictures.ts'
import { shopOf } from './shop-of.ts'

const own = 'https://shop.example/order.png'

async function logoOf(logo: string | null, known: string, logoId?: string): Promise<string | undefined> {
  const asked: unknown[] = []
  const look = async (...question: unknown[]) => {
    asked.push(question)
    return known
  }
  const brand = { ...plainBrand, ...(logoId !== undefined && { logoId }) }
  const view = viewOf({ logo, merchant: 'Café Central', brand })
  const shop = await shopOf({ pictures: { look } as unknown as Pictures }, '/florin', digits, view)
  assert.deepEqual([shop.name, shop.brand], ['Café Central', brand])
  assert.deepEqual(asked, logo === null ? [] : [[merchantId, logo]])
  return shop.logo
}

test('a payment’s own logo comes before the merchant’s once it is known to be usable', async () => {
  const ofMerchant = `/florin/logo/${merchantId}/brand-1`
  const ofPayment = `/florin/logo/${merchantId}/${pictureIdOf(own)}`
  const toBeFetched = `/florin/payment/${digits}/logo`
  for (const [logo, known, logoId, shown] of [
    [null, '', undefined, undefined],
    [null, '', 'brand-1', ofMerchant],
    [own, 'there', undefined, ofPayment],
    [own, 'there', 'brand-1', ofPayment],
    [own, 'unknown', undefined, toBeFetched],
    [own, 'unknown', 'brand-1', toBeFetched],
    [own, 'refused', undefined, undefined],
    [own, 'refused', 'brand-1', ofMerchant],
  ] as const)
    assert.equal(await logoOf(logo, known, logoId), shown, `${logo} ${known} ${logoId}`)
})
