import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../create-merchant.ts'
import {
  deleteOldPictures,
  findPicture,
  findPictureState,
  insertPicture,
  type PictureRow,
} from './picture-store.ts'

// Two merchants with pictures of the same ids: fetched for payments, refused, and one that the merchant brought.

let home: TestDatabase
let db: Database
let merchants: readonly [number, number]
const idOf = (digit: string): string => digit.repeat(32)
const [first, second, third] = [idOf('a'), idOf('b'), idOf('c')]
const [refused, brought] = [idOf('d'), idOf('e')]

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

beforeEach(async () => {
  merchants = [await createMerchant(db, { name: 'One' }), await createMerchant(db, { name: 'Other' })]
  for (const merchantId of merchants) {
    for (const id of [third, first, second])
      await insertPicture(db, merchantId, {
        id,
        source: `https://shop.example/${id}`,
        picture: picture(merchantId, id),
      })
    await insertPicture(db, merchantId, {
      id: refused,
      source: 'https://shop.example/huge',
      refusedFor: String(merchantId),
    })
    await insertPicture(db, merchantId, { id: brought, source: null, picture: picture(merchantId, brought) })
  }
})

function picture(merchantId: number, text: string): PictureRow {
  return { type: 'image/png', width: 1, height: 1, bytes: Buffer.from(`${merchantId} ${text}`) }
}

async function age(merchantId: number, id: string, minutes: number): Promise<void> {
  await db.query(sql`
    update pictures set fetched_at = now() - make_interval(mins => ${minutes})
    where merchant_id = ${merchantId} and id = ${id}`)
}

async function idsOf(merchantId: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from pictures where merchant_id = ${merchantId} order by id`)
  return rows.map(({ id }) => id)
}

test('a picture and its status are found by id, for one merchant', async () => {
  for (const own of merchants) {
    for (const id of [first, brought]) {
      assert.deepEqual(await findPicture(db, own, id), picture(own, id))
      assert.deepEqual(await findPictureState(db, own, id), { refused_for: null, is_old: false })
    }
    assert.equal(await findPicture(db, own, refused), undefined)
    assert.equal((await findPictureState(db, own, refused))?.refused_for, String(own))
    assert.equal(await findPictureState(db, own, idOf('0')), undefined)
  }
})

test('a refusal expires after an hour', async () => {
  const [own] = merchants
  const isOld = async (minutes: number): Promise<boolean | undefined> => {
    await age(own, refused, minutes)
    return (await findPictureState(db, own, refused))?.is_old
  }
  assert.deepEqual([await isOld(59), await isOld(61)], [false, true])
})

test('a refused picture is replaced, an existing one never is, and only for its own merchant', async () => {
  const [own, other] = merchants
  await age(own, refused, 61)
  for (const id of [refused, first])
    await insertPicture(db, own, { id, source: null, picture: picture(own, 'another') })
  await insertPicture(db, own, { id: second, source: null, refusedFor: 'it is gone' })
  assert.deepEqual(await findPicture(db, own, refused), picture(own, 'another'))
  assert.deepEqual(await findPictureState(db, own, refused), { refused_for: null, is_old: false })
  assert.deepEqual(await findPicture(db, own, first), picture(own, first))
  assert.deepEqual(await findPicture(db, own, second), picture(own, second))
  assert.equal(await findPicture(db, other, refused), undefined)
})

test('the oldest fetched pictures are deleted; uploaded ones stay and don’t count', async () => {
  const [own, other] = merchants
  // All of the other one's are newer.
  for (const [index, id] of [second, third, refused, first, brought].entries()) await age(own, id, 9 - index)
  const all = await idsOf(other)
  await deleteOldPictures(db, own, 3)
  assert.deepEqual(await idsOf(own), [first, third, refused, brought])
  await deleteOldPictures(db, own, 1)
  assert.deepEqual(await idsOf(own), [first, brought])
  await age(own, brought, 90)
  await deleteOldPictures(db, own, 0)
  assert.deepEqual(await idsOf(own), [brought])
  assert.deepEqual(await idsOf(other), all)
})
