import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { passwordTry, succeed, take } from './waits.ts'

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

const at = new Date('2026-03-01T12:00:00Z')
const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1000)

async function triesOf(address: string): Promise<number> {
  const rows = await db.query<{ tries: number }>(
    sql`select tries from sign_in_waits where name = ${`address ${address}`}`,
  )
  return rows[0]?.tries ?? 0
}

/** One account after the other, so that the address alone is counted against. */
const guess = (address: string, n: number) => passwordTry(`person${n}@example.com`, address, undefined)

test('a good try is given back to its address, and leaves those of others behind the same one', async () => {
  for (let n = 0; n < 10; n += 1) assert.equal(await take(db, guess('192.0.2.1', n), at), undefined)
  const good = guess('192.0.2.1', 10)
  assert.equal(await take(db, good, at), undefined)
  await succeed(db, good)
  assert.equal(await triesOf('192.0.2.1'), 10)
})

test('an office of a hundred people who all sign in well never waits', async () => {
  for (let n = 0; n < 100; n += 1) {
    const tried = guess('192.0.2.2', n)
    assert.equal(await take(db, tried, at), undefined, String(n))
    await succeed(db, tried)
  }
  assert.equal(await triesOf('192.0.2.2'), 0)
})

test('who has an account of their own can’t end a wait that guessing has earned', async () => {
  for (let n = 0; n < 31; n += 1) assert.equal(await take(db, guess('192.0.2.3', n), at), undefined)
  assert.equal(await take(db, guess('192.0.2.3', 31), at), 1, 'the free ones are used up')
  const own = guess('192.0.2.3', 32)
  assert.equal(await take(db, own, later(2)), undefined)
  await succeed(db, own)
  const next = guess('192.0.2.3', 33)
  assert.equal(await take(db, next, later(2)), 3, 'the wait that the good try found is still there')
  assert.equal(await take(db, next, later(5)), undefined)
  assert.equal(
    await take(db, guess('192.0.2.3', 34), later(5)),
    3,
    'and the next is as long, for it was given back',
  )
})

test('a try that is given back where none was taken counts for nothing', async () => {
  await succeed(db, guess('192.0.2.4', 1))
  assert.equal(await triesOf('192.0.2.4'), 0)
  assert.equal(await take(db, guess('192.0.2.4', 1), at), undefined)
})
