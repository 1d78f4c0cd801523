import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { makePng } from '../../../../test/support/pictures.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { Database } from '../../../platform/database/database.ts'
import type { Listener } from '../../../platform/database/listen.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { OutboundResult } from '../../../platform/outbound/outbound.ts'
import { createMerchant } from '../create-merchant.ts'
import { pictureBytesMax } from './check-picture.ts'
import { fetchPicture, makePictures, type Picture, type Pictures } from './pictures.ts'

const png = makePng(4, 4)
const found = { ms: 1, status: 200, answer: png, retryAfter: undefined }
const source = 'https://shop.example/logo.png'
// Nothing is heard, so what is remembered lasts a second.
const deaf: Listener = {
  connected: false,
  isOpen: false,
  on() {},
  onConnect() {},
  believe() {},
  async rename() {},
  async close() {},
}

let home: TestDatabase
let db: Database
let merchantId: number
let pictures: Pictures
let nowMs = 0
let answer: OutboundResult
let hold: Promise<void> | undefined
let fetches: string[] = []

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

beforeEach(async () => {
  merchantId = await createMerchant(db, { name: 'Corner shop' })
  fetches = []
  answer = found
  hold = undefined
  const send = async ({ url }: { readonly url: string }): Promise<OutboundResult> => {
    fetches.push(url)
    await hold
    return answer
  }
  pictures = makePictures(db, deaf, { send }, () => nowMs)
})

async function fetched(from = source): Promise<Picture | undefined> {
  return pictures.fetched(merchantId, from, 'public')
}

/** The hour is over, and what was remembered is forgotten. */
async function anHourLater(): Promise<void> {
  nowMs += 3_600_000
  await db.query(sql`
    update pictures set fetched_at = now() - interval '61 minutes' where merchant_id = ${merchantId}`)
}

test('a picture up to the size limit is fetched, and one byte more is too large', async () => {
  const small = makePng(10, 10)
  const sized = (bytes: number): Buffer => makePng(10, 10, { after: Buffer.alloc(bytes - small.length) })
  const taken = async (picture: Buffer) =>
    fetchPicture(
      {
        send: async ({ answerLimitBytes }) => ({
          ms: 1,
          status: 200,
          answer: picture.subarray(0, answerLimitBytes),
          retryAfter: undefined,
        }),
      },
      'https://shop.example/logo.png',
      'public',
    )
  assert.equal((await taken(sized(pictureBytesMax))).ok, true)
  assert.deepEqual(await taken(sized(pictureBytesMax + 1)), { ok: false, rule: 'must be at most 200 kB' })
})

test('a picture is fetched once, on first request, and kept', async () => {
  assert.equal(await pictures.look(merchantId, source), 'unknown')
  assert.deepEqual(fetches, [])
  assert.deepEqual((await fetched())?.bytes, png)
  await anHourLater()
  assert.equal(await pictures.look(merchantId, source), 'there')
  assert.deepEqual((await fetched())?.bytes, png)
  assert.deepEqual(fetches, [source])
})

test('a refused picture is requested again after an hour, not earlier', async () => {
  answer = { ...found, status: 404 }
  assert.equal(await fetched(), undefined)
  nowMs += 2_000
  answer = found
  assert.equal(await pictures.look(merchantId, source), 'refused')
  assert.equal(await fetched(), undefined)
  assert.equal(fetches.length, 1)
  await anHourLater()
  assert.equal(await pictures.look(merchantId, source), 'unknown')
  assert.deepEqual((await fetched())?.bytes, png)
  assert.equal(fetches.length, 2)
})

test('concurrent requests for one logo share a fetch, and up to eight fetches run at once', async () => {
  const gate = Promise.withResolvers<void>()
  hold = gate.promise
  const address = (index: number): string => `${source}?${index}`
  const eight = Array.from({ length: 8 }, async (_, index) => fetched(address(index)))
  await waitUntil('eight are called for', () => fetches.length === 8)
  const again = fetched(address(0))
  assert.equal(await fetched(address(8)), undefined)
  gate.resolve()
  for (const one of [...eight, again]) assert.deepEqual((await one)?.bytes, png)
  assert.equal(fetches.length, 8)
  assert.deepEqual((await fetched(address(8)))?.bytes, png)
})

test('twenty new addresses per merchant are fetched at once, then one every five seconds', async () => {
  for (let index = 0; index < 20; index += 1) assert.ok(await fetched(`${source}?${index}`))
  assert.equal(await fetched(`${source}?20`), undefined)
  nowMs += 4_999
  assert.equal(await fetched(`${source}?20`), undefined)
  nowMs += 1
  assert.ok(await fetched(`${source}?20`))
  assert.equal(fetches.length, 21)
})

test('the hundred most recently fetched pictures of a merchant are kept', async () => {
  await db.query(sql`
    insert into pictures (merchant_id, id, source, type, width, height, bytes, fetched_at)
    select ${merchantId}::int, lpad(n::text, 32, '0'), 'https://shop.example/' || n, 'image/png', 4, 4, ${png}::bytea,
      now() - n * interval '1 minute'
    from generate_series(1, 100) as n`)
  assert.ok(await fetched())
  const kept = await db.query<{ source: string }>(sql`
    select source from pictures where merchant_id = ${merchantId} order by fetched_at desc`)
  assert.equal(kept.length, 100)
  assert.equal(kept[0]?.source, source)
  assert.equal(kept.at(-1)?.source, 'https://shop.example/99')
})

test('a failed fetch reports why', async () => {
  const ruleOf = async (result: OutboundResult): Promise<unknown> =>
    fetchPicture({ send: async () => result }, source, 'public')
  assert.deepEqual(await ruleOf({ ms: 1, error: 'timeout' }), {
    ok: false,
    rule: 'could not be fetched: timeout',
  })
  for (const status of [201, 301, 404])
    assert.deepEqual(await ruleOf({ ...found, status }), {
      ok: false,
      rule: `could not be fetched: status ${status}`,
    })
})
