import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makeFirstLink } from '../../src/dashboard/people/sign-up.ts'
import { hours, makeStillClock, minutes } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { dumpTables } from '../support/search-everything.ts'
import { emailsTo, goodPassword, newPerson, signedIn, Visitor } from '../support/visitor.ts'

// In and out of the dashboard, on two servers with one database and one clock.

const clock = makeStillClock()
let house: House
let other: House

before(async () => {
  house = await openHouse({ world: { now: clock.now } })
  other = await openHouse({ world: { now: clock.now }, databaseUrl: house.databaseUrl })
})
after(async () => {
  await other.close()
  await house.close()
})

const ada = { email: 'ada@engines.example', name: 'Ada', merchant: 'Engines', password: goodPassword }

test('a stranger who finds a fresh installation can’t sign up, even if sign-up is open', async () => {
  const open = await openHouse({ databaseUrl: house.databaseUrl, settings: { SIGN_UP: 'on' } })
  try {
    for (const each of [house, open]) {
      const stranger = new Visitor(each)
      assert.equal((await stranger.get('/dashboard/sign-in')).to, '/dashboard/sign-up')
      const page = await stranger.get('/dashboard/sign-up')
      assert.equal(page.status, 403)
      assert.match(page.text, /bin\/florin sign-in-link/)
      // The token is one of another page of theirs.
      await stranger.get('/dashboard/forgotten')
      assert.equal((await stranger.post('/dashboard/sign-up', ada)).status, 403)
      assert.equal((await stranger.post(`/dashboard/sign-up/${'x'.repeat(32)}`, ada)).status, 404)
    }
    assert.deepEqual(await house.db.query(sql`select id from people`), [])
  } finally {
    await open.close()
  }
})

test('the first person signs up by a link from the command line, runs the installation and owns a shop', async () => {
  const [path, second] = [
    await makeFirstLink(house.db, bySystem, clock.now()),
    await makeFirstLink(house.db, bySystem, clock.now()),
  ]
  const first = new Visitor(house)
  const refused = await first.fill(path, { ...ada, password: 'password12345' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /too easy to guess/)
  assert.match(refused.text, /value="ada@engines.example"/, 'what was typed is still there')
  assert.doesNotMatch(refused.text, /password12345/)
  assert.equal((await first.post(path, ada)).status, 303)
  const home = await first.get((await first.get('/dashboard')).to)
  assert.match(home.text, /<h1>Your first five minutes<\/h1>/)
  assert.match(home.text, /Engines/)
  assert.equal((await first.get('/dashboard/installation')).status, 200)

  const late = new Visitor(house)
  for (const used of [path, second]) assert.equal((await late.get(used)).status, 404)
  assert.equal((await late.get('/dashboard/sign-up')).status, 403)
  await late.get('/dashboard/forgotten')
  assert.equal((await late.post(second, { ...ada, email: 'eve@example.com' })).status, 404)
  await assert.rejects(makeFirstLink(house.db, bySystem), { code: 'not_allowed' })
})

test('a person signs in, stays signed in on every server, and is out after signing out', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const visitor = new Visitor(house)
  assert.equal((await visitor.get('/dashboard/account')).to, '/dashboard/sign-in?next=%2Fdashboard%2Faccount')
  const result = await visitor.fill(
    '/dashboard/sign-in?next=%2Fdashboard%2Faccount',
    {
      email: person.email.toUpperCase(),
      password: goodPassword,
      next: '/dashboard/account',
    },
    '/dashboard/sign-in',
  )
  assert.deepEqual([result.status, result.to], [303, '/dashboard/account'])
  const elsewhere = new Visitor(other)
  for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value)
  assert.equal((await elsewhere.get('/dashboard/account')).status, 200)
  await visitor.get('/dashboard/account')
  assert.equal((await visitor.post('/dashboard/sign-out')).status, 303)
  assert.equal((await elsewhere.get('/dashboard/account')).status, 303)
})

test('cookies are hidden from scripts and other sites, and only a hash of the session is stored', async () => {
  const visitor = new Visitor(house)
  const seen = await visitor.signIn(await newPerson(house, { role: 'viewer' }))
  const set = seen.headers.getSetCookie().find((line) => line.includes('-session='))
  assert.match(set ?? '', /^florin-3000-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const stored = await dumpTables(house)
  for (const name of ['session', 'device']) assert.ok(!stored.includes(visitor.cookie(name) ?? 'none'), name)
  const secure = await openHouse({
    databaseUrl: house.databaseUrl,
    settings: { BASE_URL: 'https://pay.example.com' },
  })
  try {
    const safe = await new Visitor(secure).get('/dashboard/sign-in')
    assert.match(
      safe.headers.getSetCookie()[0] ?? '',
      /^__Host-florin-visit=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  } finally {
    await secure.close()
  }
})

test('a session planted in the browser isn’t the one a sign-in creates', async () => {
  const attacker = await signedIn(house, { role: 'viewer' })
  const victim = new Visitor(house)
  const [name = ''] = [...attacker.cookies.keys()].filter((key) => key.endsWith('-session'))
  const planted = attacker.cookie('session') ?? ''
  victim.cookies.set(name, planted)
  await victim.get('/dashboard/account')
  await victim.post('/dashboard/sign-out')
  await victim.signIn(await newPerson(house, { role: 'viewer' }))
  assert.notEqual(victim.cookie('session'), planted)
  const invented = new Visitor(house)
  invented.cookies.set(name, 'A'.repeat(43))
  assert.equal((await invented.get('/dashboard/account')).status, 303)
})

test('a session ends after twelve hours without use, and after thirty days in any case', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const idle = new Visitor(house)
  await idle.signIn(person)
  clock.jump(11 * hours)
  assert.equal((await idle.get('/dashboard/account')).status, 200)
  clock.jump(12 * hours)
  assert.equal((await idle.get('/dashboard/account')).status, 303)
  const busy = new Visitor(house)
  await busy.signIn(person)
  for (let day = 0; day < 60; day += 1) {
    clock.jump(11.9 * hours)
    assert.equal((await busy.get('/dashboard/account')).status, 200)
  }
  clock.jump(6 * hours)
  assert.equal((await busy.get('/dashboard/account')).status, 303)
})

test('an unknown address and a wrong password get the same answer, and the same waits on every server', async () => {
  const known = await newPerson(house, { role: 'viewer' })
  const answers: string[][] = []
  for (const email of [known.email, `nobody.${known.email}`]) {
    const seen: string[] = []
    const [one, two] = [new Visitor(house), new Visitor(other)]
    for (let n = 0; n < 8; n += 1) {
      const visitor = n % 2 === 0 ? one : two
      const { status, text } = await visitor.fill('/dashboard/sign-in', { email, password: `wrong ${n}` })
      seen.push(`${status} ${text.replaceAll(email, 'EMAIL').replaceAll(/name="token" value="[^"]+"/g, '')}`)
    }
    answers.push(seen)
  }
  assert.deepEqual(answers[0], answers[1])
  assert.deepEqual(
    answers[0]?.map((text) => text.slice(0, 3)),
    ['401', '401', '401', '401', '401', '401', '429', '429'],
  )
  const right = await new Visitor(house).signIn(known)
  assert.equal(right.status, 429, 'not even the right password is tried')
  assert.match(right.text, /Wait \d+ seconds?, then try again/)
  assert.ok(Number(right.headers.get('retry-after')) >= 1)
  clock.jump(5_000)
  assert.equal((await new Visitor(other).signIn(known)).status, 303)
})

test('password guessing doesn’t lock the owner out of a known browser', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const home = new Visitor(house)
  await home.signIn(person)
  await home.get('/dashboard/account')
  await home.post('/dashboard/sign-out')
  const guesser = new Visitor(house)
  for (let n = 0; n < 7; n += 1) await guesser.signIn(person, `guess ${n}`)
  assert.equal((await guesser.signIn(person)).status, 429)
  assert.equal((await home.signIn(person)).status, 303)
})

test('simultaneous guesses count like consecutive ones', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const visitors = Array.from({ length: 20 }, () => new Visitor(house))
  await Promise.all(visitors.map((visitor) => visitor.get('/dashboard/sign-in')))
  const all = await Promise.all(
    visitors.map((visitor, n) =>
      visitor.post('/dashboard/sign-in', { email: person.email, password: `guess ${n}` }),
    ),
  )
  assert.equal(all.filter(({ status }) => status === 401).length, 6)
})

test('a sign-in from a new device sends an e-mail, the first and known ones don’t', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const desk = new Visitor(house)
  await desk.signIn(person)
  await desk.get('/dashboard/account')
  await desk.post('/dashboard/sign-out')
  await desk.signIn(person)
  assert.equal((await emailsTo(house, person.email)).length, 0)
  await new Visitor(house, { 'user-agent': 'Mozilla/5.0 (iPhone) Version/20.0 Safari/604.1' }).signIn(person)
  const [letter, ...rest] = await emailsTo(house, person.email)
  assert.equal(rest.length, 0)
  assert.equal(letter?.subject, 'You signed in from a new device')
  assert.match(letter?.text ?? '', /Safari on iPhone/)
})

test('a changed password ends every other session at once, on every server', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const [own, away] = [new Visitor(house), new Visitor(other)]
  await own.signIn(person)
  await away.signIn(person)
  const old = own.cookie('session')
  const changed = await own.fill('/dashboard/account/password', { password: 'violet harbour 7 teapots' })
  assert.deepEqual([changed.status, changed.to], [303, '/dashboard/account'])
  assert.equal((await away.get('/dashboard/account')).status, 303)
  assert.equal((await own.get('/dashboard/account')).status, 200)
  assert.notEqual(own.cookie('session'), old, 'the own session goes on under a new number')
  assert.equal((await new Visitor(house).signIn(person)).status, 401)
  assert.equal((await new Visitor(house).signIn(person, 'violet harbour 7 teapots')).status, 303)
})

test('sessions are listed with device and address, and end one by one or all at once', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const visitors = [
    new Visitor(house),
    new Visitor(house, { 'user-agent': 'Mozilla/5.0 (Windows) Firefox/140.0' }),
    new Visitor(house),
  ]
  for (const visitor of visitors) await visitor.signIn(person)
  const [own, firefox, third] = visitors as [Visitor, Visitor, Visitor]
  const { text } = await own.get('/dashboard/account/sessions')
  assert.match(text, /Firefox on Windows[^]*?127\.0\.0\.1/)
  const id = /Firefox on Windows[^]*?name="id" value="([^"]+)"/.exec(text)?.[1] ?? ''
  assert.equal((await own.post('/dashboard/account/sessions/do/end', { id })).status, 303)
  assert.equal((await firefox.get('/dashboard/account')).status, 303)
  assert.equal((await third.get('/dashboard/account')).status, 200)
  const stranger = await signedIn(house, { role: 'viewer' })
  await stranger.get('/dashboard/account/sessions')
  const [row] = await house.db.query<{ id: string }>(
    sql`select id from sessions where person_id = ${person.id} limit 1`,
  )
  assert.equal((await stranger.post('/dashboard/account/sessions/do/end', { id: row?.id ?? '' })).status, 404)
  await own.get('/dashboard/account/sessions')
  await own.post('/dashboard/account/sessions/do/end-others')
  assert.equal((await third.get('/dashboard/account')).status, 303)
  assert.equal((await own.get('/dashboard/account')).status, 200)
})

test('a hash with old parameters is renewed at the next sign-in', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const { argon2Sync } = await import('node:crypto')
  const nonce = Buffer.from('sixteen bytes ok')
  const old = argon2Sync('argon2id', {
    message: goodPassword,
    nonce,
    memory: 1024,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  })
  const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  await house.db.query(sql`
    update people set password_hash = ${`$argon2id$v=19$m=1024,t=1,p=1$${base64(nonce)}$${base64(old)}`} where id = ${person.id}`)
  assert.equal((await new Visitor(house).signIn(person)).status, 303)
  const [row] = await house.db.query<{ password_hash: string }>(
    sql`select password_hash from people where id = ${person.id}`,
  )
  assert.match(row?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal((await new Visitor(house).signIn(person)).status, 303)
})

test('changing permissions asks for the password again after ten minutes, and returns', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const visitor = new Visitor(house)
  await visitor.signIn(person)
  const page = `/dashboard/${house.merchantId}/test/team/invite`
  assert.equal((await visitor.get(page)).status, 200)
  clock.jump(10 * minutes)
  const late = await visitor.post(page, { email: 'late@example.com', role: 'viewer' })
  const prove = `/dashboard/prove?next=${encodeURIComponent(page)}`
  assert.deepEqual([late.status, late.to], [303, prove])
  assert.equal((await visitor.get(page)).to, prove)
  assert.equal((await visitor.fill(prove, { password: 'wrong', next: page }, '/dashboard/prove')).status, 401)
  const old = visitor.cookie('session')
  const proved = await visitor.fill(prove, { password: goodPassword, next: page }, '/dashboard/prove')
  assert.deepEqual([proved.status, proved.to], [303, page])
  assert.notEqual(visitor.cookie('session'), old)
  assert.equal((await visitor.get(page)).status, 200)
})
