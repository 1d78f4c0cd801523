import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { countSealings, resealAll } from '../../src/platform/secrets/reseal.ts'
import { drawSecretsKey, readSecretsKey } from '../../src/platform/secrets/secrets-key.ts'
import { makeSecrets } from '../../src/platform/secrets/secrets.ts'
import { totpPlace, totpRows } from '../../src/dashboard/people/factors/second-factor.ts'
import { codeAt, readBase32, stepAt } from '../../src/dashboard/people/factors/totp.ts'
import { sealedRooms } from '../../src/app/rooms.ts'
import { makeStillClock, minutes } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { dumpTables } from '../support/search-everything.ts'
import { emailsTo, newPerson, Visitor, type PersonAt } from '../support/visitor.ts'

// Codes of an app, and what stands between the password and the dashboard.

const clock = makeStillClock()
const step = 30_000
let house: House

before(async () => {
  house = await openHouse({ world: { now: clock.now } })
})
after(() => house.close())

type WithCodes = { person: PersonAt; secret: Buffer; recovery: string[]; visitor: Visitor }

async function switchOn(): Promise<WithCodes> {
  const person = await newPerson(house, { role: 'owner' })
  const visitor = new Visitor(house)
  await visitor.signIn(person)
  const { text } = await visitor.get('/dashboard/account/codes')
  const shown = /name="secret" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? ''
  const secret = readBase32(shown) ?? Buffer.alloc(0)
  const wrong = await visitor.post('/dashboard/account/codes', { secret: shown, code: '000000' })
  assert.ok(wrong.status === 400 && wrong.text.includes(shown), 'the same secret is shown again')
  const done = await visitor.post('/dashboard/account/codes', { secret: shown, code: codeOf(secret) })
  assert.equal(done.status, 200)
  const recovery = [...done.text.matchAll(/<code>([a-z2-9]{5}-[a-z2-9]{5})<\/code>/g)].map(
    (match) => match[1] ?? '',
  )
  assert.equal(recovery.length, 10)
  return { person, secret, recovery, visitor }
}

const codeOf = (secret: Buffer): string => codeAt(secret, stepAt(clock.now()))

async function half(person: PersonAt): Promise<Visitor> {
  const visitor = new Visitor(house)
  const seen = await visitor.signIn(person)
  assert.equal(seen.to, '/dashboard/second-factor')
  await visitor.get('/dashboard/second-factor')
  return visitor
}

test('with codes on, the password alone opens nothing', async () => {
  const { person } = await switchOn()
  const visitor = await half(person)
  for (const path of ['/dashboard', '/dashboard/account', `/dashboard/${house.merchantId}/test`])
    assert.match((await visitor.get(path)).to, /^\/dashboard\/sign-in/)
  clock.jump(10 * minutes)
  assert.match((await visitor.get('/dashboard/second-factor')).to, /sign-in/, 'and not for long')
})

test('a code works once, in a new session, and never again', async () => {
  const { person, secret } = await switchOn()
  const early = await half(person)
  const used = await early.post('/dashboard/second-factor', { code: codeOf(secret) })
  assert.equal(used.status, 401, 'the code that switched codes on counts as used')
  clock.jump(step)
  const visitor = await half(person)
  const old = visitor.cookie('session')
  const code = codeOf(secret)
  assert.equal((await visitor.post('/dashboard/second-factor', { code })).status, 303)
  assert.notEqual(visitor.cookie('session'), old)
  assert.equal((await visitor.get('/dashboard/account')).status, 200)
  const thief = await half(person)
  assert.equal((await thief.post('/dashboard/second-factor', { code })).status, 401)
  const earlier = codeAt(secret, stepAt(clock.now()) - 1n)
  assert.equal(
    (await thief.post('/dashboard/second-factor', { code: earlier })).status,
    401,
    'nor an older one',
  )
})

test('a code used twice at once works once', async () => {
  const { person, secret } = await switchOn()
  clock.jump(step)
  const visitors = [await half(person), await half(person)]
  const code = codeOf(secret)
  const seen = await Promise.all(
    visitors.map((visitor) => visitor.post('/dashboard/second-factor', { code })),
  )
  assert.deepEqual(
    seen.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 401],
  )
})

test('codes can’t be guessed at any useful speed', async () => {
  const { person } = await switchOn()
  const statuses = []
  for (let n = 0; n < 8; n += 1) {
    const visitor = await half(person)
    statuses.push((await visitor.post('/dashboard/second-factor', { code: String(100_000 + n) })).status)
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 401, 429, 429])
})

test('a recovery code works once in place of a code, however typed, and sends an e-mail', async () => {
  const { person, recovery } = await switchOn()
  const visitor = await half(person)
  const [first = ''] = recovery
  assert.equal(
    (await visitor.post('/dashboard/second-factor', { code: ` ${first.toUpperCase()} ` })).status,
    303,
  )
  assert.match((await visitor.get('/dashboard/account')).text, /9 recovery codes left/)
  const again = await half(person)
  assert.equal((await again.post('/dashboard/second-factor', { code: first })).status, 401)
  assert.ok((await emailsTo(house, person.email)).some(({ subject }) => subject.includes('recovery code')))
})

test('new recovery codes invalidate the old ones, and codes can be switched off again', async () => {
  const { person, recovery, visitor } = await switchOn()
  await visitor.get('/dashboard/account/codes')
  const renewed = await visitor.post('/dashboard/account/codes/do/renew')
  assert.doesNotMatch(renewed.text, new RegExp(recovery[1] ?? ''))
  const other = await half(person)
  assert.equal((await other.post('/dashboard/second-factor', { code: recovery[1] ?? '' })).status, 401)
  await visitor.get('/dashboard/account/codes')
  assert.equal((await visitor.post('/dashboard/account/codes/do/off')).status, 303)
  assert.equal((await new Visitor(house).signIn(person)).to, '/dashboard')
})

test('resetting the password by e-mail doesn’t bypass the codes', async () => {
  const { person } = await switchOn()
  await new Visitor(house).fill('/dashboard/forgotten', { email: person.email })
  const [letter] = await emailsTo(house, person.email)
  const link = /\/dashboard\/reset\/\S+/.exec(letter?.text ?? '')?.[0] ?? ''
  await new Visitor(house).fill(link, { password: 'violet harbour 7 teapots' })
  assert.equal(
    (await new Visitor(house).signIn(person, 'violet harbour 7 teapots')).to,
    '/dashboard/second-factor',
  )
})

test('an app’s secret is sealed for its own row, and recovery codes are hashed', async () => {
  const [one, two] = [await switchOn(), await switchOn()]
  const stored = await dumpTables(house)
  assert.ok(!stored.includes(one.secret.toString('hex')))
  assert.ok(!stored.includes(one.recovery[0] ?? 'none'))
  await house.db.query(sql`
    update people set totp_sealed = (select totp_sealed from people where id = ${one.person.id})
    where id = ${two.person.id}`)
  clock.jump(step)
  const visitor = await half(two.person)
  const seen = await visitor.post('/dashboard/second-factor', { code: codeOf(one.secret) })
  assert.equal(seen.status, 500, 'a secret that was moved to another row opens nothing')
})

test('after a rotation of the secrets key, codes still work with the old key gone', async () => {
  // Another test has left a row that was tampered with.
  await house.db.query(sql`update people set totp_sealed = null`)
  const { person, secret } = await switchOn()
  const fresh = readSecretsKey(drawSecretsKey())
  assert.ok(fresh)
  house.secrets.accept(fresh)
  assert.ok(house.secrets.sealUnder(fresh.id))
  await resealAll(house.db, house.secrets, sealedRooms)
  const counts = await countSealings(house.db, sealedRooms)
  const keys = counts.find(({ what }) => what === totpRows.what)?.byKey
  assert.deepEqual([...(keys?.keys() ?? [])], [fresh.id], 'nothing is sealed under the old key any more')
  const [row] = await house.db.query<{ totp_sealed: Buffer }>(
    sql`select totp_sealed from people where id = ${person.id}`,
  )
  assert.deepEqual(makeSecrets(fresh).open(totpPlace(person.id), row?.totp_sealed ?? Buffer.alloc(0)), secret)
  clock.jump(step)
  const visitor = await half(person)
  assert.equal((await visitor.post('/dashboard/second-factor', { code: codeOf(secret) })).status, 303)
})
