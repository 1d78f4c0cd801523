import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { networkOf } from '../../platform/input/network-of.ts'
import { codeTry, emailTry, passwordTry, proofTry, succeed, take, type Origin, type Try } from './waits.ts'

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

const fromAddress = (address: string): Origin => ({ name: `address ${networkOf(address)}` })

/** One account after the other, so that the address alone is counted against. */
const guess = (address: string, n: number) =>
  passwordTry(`person${n}@example.com`, fromAddress(address), undefined)

test('a correct try is refunded to its address, and other people’s tries there still count', async () => {
  for (let n = 0; n < 10; n += 1) assert.equal(await take(db, guess('192.0.2.1', n), at), undefined)
  const good = guess('192.0.2.1', 10)
  assert.equal(await take(db, good, at), undefined)
  await succeed(db, good)
  assert.equal(await triesOf('192.0.2.1'), 10)
})

test('a hundred colleagues behind one address who sign in correctly never wait', async () => {
  for (let n = 0; n < 100; n += 1) {
    const tried = guess('192.0.2.2', n)
    assert.equal(await take(db, tried, at), undefined, String(n))
    await succeed(db, tried)
  }
  assert.equal(await triesOf('192.0.2.2'), 0)
})

test('a free try from a server whose clock is behind doesn’t wait', async () => {
  assert.equal(await take(db, guess('192.0.2.9', 1), later(1)), undefined)
  assert.equal(await take(db, guess('192.0.2.9', 2), at), undefined)
})

test('having an account doesn’t end a wait earned by guessing', async () => {
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

test('refunding a try that was never taken changes nothing', async () => {
  await succeed(db, guess('192.0.2.4', 1))
  assert.equal(await triesOf('192.0.2.4'), 0)
  assert.equal(await take(db, guess('192.0.2.4', 1), at), undefined)
})

const free = (rule: Try, count: number, from = at): Promise<void> =>
  Array.from({ length: count }).reduce<Promise<void>>(
    (before_) => before_.then(async () => assert.equal(await take(db, rule, from), undefined)),
    Promise.resolve(),
  )

/** What there is to wait after each further try that was made as soon as it could be. */
async function waitsAfter(rule: Try, count: number): Promise<number[]> {
  const waits: number[] = []
  let passed = 0
  for (let n = 0; n < count; n += 1) {
    const seconds = (await take(db, rule, later(passed))) ?? 0
    waits.push(seconds)
    if (seconds === 0) continue
    assert.equal(await take(db, rule, later(passed + seconds - 0.001)), 1, 'a moment too early')
    passed += seconds
    assert.equal(await take(db, rule, later(passed)), undefined)
  }
  return waits
}

// Without its origin, which would have to wait as well.
const toOneAddress: Try = { rules: emailTry('one@example.com', fromAddress('198.51.100.3')).rules.slice(1) }

for (const [name, rule, freely, longest] of [
  ['a code', codeTry('per_1', fromAddress('198.51.100.1')), 5, 900],
  ['a password', passwordTry('one@example.com', fromAddress('198.51.100.2'), undefined), 5, 900],
  ['a proof', proofTry('per_1'), 5, 900],
  ['an e-mail to one address', toOneAddress, 3, 3_600],
] as const) {
  test(`${name} is free ${freely} times, then waits double up to ${longest} seconds`, async () => {
    await free(rule, freely + 1)
    const waits = await waitsAfter(rule, 13)
    const doubled = Array.from({ length: 13 }, (_, n) => Math.min(longest, 2 ** (n + 1) - 1))
    assert.deepEqual(waits, doubled)
  })
}

test('tries are forgotten after exactly a day without one', async () => {
  const day = 24 * 3_600
  const rule = proofTry('per_day')
  await free(rule, 6)
  // A try a day later still counts with the others, and so do those that follow it.
  assert.equal(await take(db, rule, later(day)), undefined)
  assert.equal(await take(db, rule, later(day)), 3)
  assert.equal(await take(db, rule, later(day + 3)), undefined)
  assert.equal(await take(db, rule, later(day + 3)), 7)
  const forgotten = later(2 * day + 3.001)
  await free(rule, 6, forgotten)
  assert.equal(await take(db, rule, forgotten), 1, 'as after the first six')
})

test('e-mails from one network and tries from one address are counted together', async () => {
  for (let n = 0; n < 11; n += 1)
    assert.equal(await take(db, emailTry(`n${n}@example.com`, fromAddress('2001:db8::1')), at), undefined)
  assert.equal(
    await take(db, emailTry('last@example.com', fromAddress('2001:db8::2')), at),
    1,
    'of the same /64',
  )
  assert.equal(await take(db, emailTry('last@example.com', fromAddress('2001:db8:0:1::2')), at), undefined)
})

test('an account counts as one however its address is written, and a known browser is separate', async () => {
  await free(passwordTry('Ada@Example.com', fromAddress('198.51.100.4'), undefined), 6)
  assert.equal(await take(db, passwordTry('ada@example.com', fromAddress('198.51.100.5'), undefined), at), 1)
  assert.equal(
    await take(db, passwordTry('ada@example.com', fromAddress('198.51.100.5'), 'cookie'), at),
    undefined,
  )
  const names = await db.query<{ name: string }>(sql`select name from sign_in_waits`)
  assert.ok(
    names.every(({ name }) => !/ada@|cookie/i.test(name)),
    'the table names nobody',
  )
})
