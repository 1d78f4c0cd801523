import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { makeKnownShops, shopOfMerchant } from './known-shops.ts'

const shop = { name: 'Corner shop', brand: plainBrand }
const someRequest = (): FastifyRequest => ({}) as FastifyRequest

test('an error page finds the shop of its request, at once or by a look-up', async () => {
  const shops = makeKnownShops()
  const [known, asked, broken, stranger] = [someRequest(), someRequest(), someRequest(), someRequest()]
  shops.note(known, shop)
  shops.note(asked, async () => shop)
  shops.note(broken, async () => Promise.reject(new Error('no database')))
  assert.deepEqual(
    await Promise.all([known, asked, broken, stranger].map(async (request) => shops.of(request))),
    [shop, shop, undefined, undefined],
  )
})

test('an error page doesn’t wait for a database that may be the cause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const shops = makeKnownShops()
  const request = someRequest()
  shops.note(request, async () => Promise.withResolvers<undefined>().promise)
  const found = shops.of(request)
  t.mock.timers.tick(300)
  assert.equal(await found, undefined)
})

test('a merchant’s own logo is served below Florin’s base path', () => {
  const merchant = { id: 12_345_678, name: 'Corner shop', brand: plainBrand }
  assert.deepEqual(shopOfMerchant('/florin', merchant), shop)
  const brand = { ...plainBrand, logoId: 'brand-1' }
  assert.deepEqual(shopOfMerchant('/florin', { ...merchant, brand }), {
    name: 'Corner shop',
    brand,
    logo: '/florin/logo/12345678/brand-1',
  })
})
