import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { insertRows } from '../../../../test/support/rows.ts'
import { Database } from '../../../platform/database/database.ts'
import { findMerchants, type MerchantPage } from './find-merchants.ts'

let home: TestDatabase
let db: Database
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  await insertRows(db, 'merchants', shops)
})
after(async () => {
  await db.close()
  await home.drop()
})

const moment = (second: number): string => `2026-11-15T12:00:${String(second).padStart(2, '0')}.000000Z`

/** The newest last, two of each moment; each third takes live payments, each fourth was stopped. */
const shops = Array.from({ length: 30 }, (_, index) => ({
  id: 20_000_000 + index,
  name: index % 2 === 0 ? `Corner shop ${index}` : `Kiosk ${index}`,
  email: index % 5 === 0 ? null : `shop${index}@example.com`,
  live_enabled: index % 3 === 0,
  suspended_at: index % 4 === 0 ? moment(59) : null,
  created_at: moment(Math.floor(index / 2)),
}))

type Shop = (typeof shops)[number]

function wanted(fits: (shop: Shop) => boolean): object[] {
  return shops
    .filter(fits)
    .toReversed()
    .map((shop) => ({
      id: shop.id,
      name: shop.name,
      email: shop.email,
      state: shop.suspended_at !== null ? 'suspended' : shop.live_enabled ? 'live' : 'test',
      createdAt: shop.created_at,
      suspendedAt: shop.suspended_at,
    }))
}

test('an operator finds merchants by name and state, page by page, each once', async () => {
  const cases: readonly (readonly [query: Record<string, string>, fits: (shop: Shop) => boolean])[] = [
    [{}, () => true],
    [{ q: '', state: '' }, () => true],
    [{ q: ' kiosk ' }, ({ name }) => name.startsWith('Kiosk')],
    [{ q: '20000007' }, ({ id }) => id === 20_000_007],
    [{ state: 'suspended' }, (shop) => shop.suspended_at !== null],
    [{ state: 'live' }, (shop) => shop.suspended_at === null && shop.live_enabled],
    [
      { state: 'test', q: 'shop' },
      (shop) => shop.suspended_at === null && !shop.live_enabled && shop.name.startsWith('Corner'),
    ],
    [{ q: 'nobody' }, () => false],
  ]
  for (const [query, fits] of cases)
    for (const size of [1, 7, 30]) {
      const found: object[] = []
      let pages = 0
      let page: MerchantPage | undefined
      do {
        const cursor = page?.nextCursor ?? undefined
        page = await findMerchants(db, { ...query, limit: String(size), ...(cursor && { cursor }) })
        pages += 1
        found.push(...page.merchants)
      } while (page.nextCursor !== null && found.length <= shops.length)
      assert.deepEqual(found, wanted(fits), JSON.stringify([query, size]))
      assert.equal(pages, Math.max(1, Math.ceil(found.length / size)))
    }
  assert.equal((await findMerchants(db, {})).merchants.length, 25)
})

test('an invalid search is refused with each of its fields', async () => {
  const wrong: Readonly<Record<string, string>> = {
    state: 'asleep',
    q: 'x'.repeat(101),
    limit: '101',
    cursor: Buffer.from(`${moment(1)} 1234567`).toString('base64url'),
    page: '2',
  }
  for (const [name, value] of Object.entries(wrong))
    await assert.rejects(
      findMerchants(db, { [name]: value }),
      (refusal: { code: string; errors: object }) => {
        assert.deepEqual([refusal.code, Object.keys(refusal.errors)], ['validation_failed', [name]])
        return true
      },
    )
  await assert.rejects(findMerchants(db, { state: 'asleep' }), {
    message: 'state must be one of live, test, suspended',
  })
})
