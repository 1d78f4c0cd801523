import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pagesOf } from '../support/dashboard/pages-of.ts'
import { seedShop, type Shop } from '../support/dashboard/seed-shop.ts'
import { openHouse, type House } from '../support/house.ts'

// What holds on every page of the dashboard, in a shop that has something of everything.

let house: House
let shop: Shop

before(async () => {
  // With every page that there can be.
  const openId = { OIDC_ISSUER: 'https://login.invalid', OIDC_CLIENT_ID: 'florin' }
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '1000', ...openId } })
  shop = await seedShop(house)
})
after(() => house.close())

const heaviest = 100_000

test('every page is below 100 kB uncompressed, and loads nothing from elsewhere', async () => {
  const { pages } = pagesOf(shop)
  assert.ok(pages.length > 30, 'the table was read')
  let opened = 0
  for (const { path } of pages) {
    const { status, text, headers } = await shop.visitor.get(path)
    if (headers.get('content-type')?.startsWith('text/html') !== true) continue
    assert.equal(status, 200, `${path}: ${status}`)
    opened += 1
    assert.ok(Buffer.byteLength(text) < heaviest, `${path}: ${Buffer.byteLength(text)} bytes`)
    assert.deepEqual(foreign(text), [], path)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /default-src 'none'.*img-src 'self' data:;/,
      path,
    )
  }
  assert.ok(opened > 25, `${opened} pages were looked at`)
})

/** Whatever a browser would fetch by itself from another origin. */
function foreign(text: string): string[] {
  const fetched = [
    ...text.matchAll(
      /<(?:script|img|iframe|source|video|audio|embed|object|input)\b[^>]*\b(?:src|srcset|data)="([^"]*)"/g,
    ),
    ...text.matchAll(/<link\b[^>]*\bhref="([^"]*)"/g),
    ...text.matchAll(/@import\s+["']?([^"';]*)/g),
    ...text.matchAll(/url\(\s*["']?([^"')]*)/g),
  ].map(([, address = '']) => address)
  return fetched.filter((address) => !/^(?:data:|#|\/(?!\/))/.test(address))
}
