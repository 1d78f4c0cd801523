import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makeSignInLink } from '../../src/dashboard/people/sign-in-link.ts'
import { makeStillClock, minutes } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { dumpTables } from '../support/search-everything.ts'
import { emailsTo, linkTo, newPerson, Visitor } from '../support/visitor.ts'

// What is done by e-mail: each link works once, for a short time, and opening it changes nothing.

const clock = makeStillClock()
const newPassword = 'violet harbour 7 teapots'
let house: House

before(async () => {
  house = await openHouse({ world: { now: clock.now }, settings: { SIGN_UP: 'on' } })
  await newPerson(house, { isOperator: true, role: 'owner' })
})
after(() => house.close())
// All of them ask from one address, and would have to wait for one another.
beforeEach(() => house.db.query(sql`delete from sign_in_waits`).then(() => undefined))

async function askForReset(email: string): Promise<string> {
  await new Visitor(house).fill('/dashboard/forgotten', { email })
  return linkTo(house, email)
}

test('a forgotten password is reset by a link that works once', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const signedIn = new Visitor(house)
  await signedIn.signIn(person)
  const link = await askForReset(person.email)
  const visitor = new Visitor(house)
  for (let n = 0; n < 3; n += 1)
    assert.equal((await visitor.get(link)).status, 200, 'opening it changes nothing')
  assert.equal((await visitor.post(link, { password: 'password123' })).status, 400)
  const done = await visitor.post(link, { password: newPassword })
  assert.deepEqual([done.status, done.to], [303, '/dashboard/sign-in'])
  assert.equal((await signedIn.get('/dashboard/account')).status, 303, 'every session has ended')
  assert.equal((await visitor.get(link)).status, 404)
  assert.equal((await visitor.post(link, { password: 'another good sentence' })).status, 404)
  assert.equal((await new Visitor(house).signIn(person, newPassword)).status, 303)
  assert.equal((await emailsTo(house, person.email))[0]?.subject, 'You signed in from a new device')
})

test('a link used twice at once works once', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const link = await askForReset(person.email)
  const visitors = [new Visitor(house), new Visitor(house)]
  for (const visitor of visitors) await visitor.get(link)
  const seen = await Promise.all(
    visitors.map((visitor, n) => visitor.post(link, { password: `violet harbour ${n} teapot` })),
  )
  assert.deepEqual(
    seen.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 404],
  )
})

test('a link ends after its time, and when a newer one is created', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const first = await askForReset(person.email)
  clock.jump(1_000)
  const second = await askForReset(person.email)
  assert.notEqual(first, second)
  const visitor = new Visitor(house)
  assert.equal((await visitor.get(first)).status, 404)
  assert.equal((await visitor.get(second)).status, 200)
  clock.jump(30 * minutes)
  assert.equal((await visitor.get(second)).status, 404)
  assert.equal((await visitor.post(second, { password: newPassword })).status, 404)
})

test('requesting an e-mail or signing up doesn’t reveal whether an address has an account', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  for (const path of ['/dashboard/forgotten', '/dashboard/sign-up']) {
    const answers = []
    for (const email of [person.email, `nobody${person.email}`]) {
      const { status, text } = await new Visitor(house).fill(path, { email })
      answers.push(
        `${status} ${text.replaceAll(email, 'EMAIL').replaceAll(/name="token" value="[^"]+"/g, '')}`,
      )
    }
    assert.equal(answers[0], answers[1], path)
  }
  const subjects = (await emailsTo(house, person.email)).map(({ subject }) => subject)
  assert.deepEqual(subjects.toSorted(), ['Set a new password', 'You already have an account'])
  assert.equal((await emailsTo(house, `nobody${person.email}`)).length, 1)
})

test('someone new signs up by e-mail, with their own shop', async () => {
  const email = 'grace@ships.example'
  await new Visitor(house).fill('/dashboard/sign-up', { email })
  const link = await linkTo(house, email)
  const visitor = new Visitor(house)
  const fields = { name: 'Grace', merchant: 'Ships & <b>more</b>', password: newPassword }
  assert.equal((await visitor.fill(link, fields)).status, 303)
  const home = await visitor.get((await visitor.get('/dashboard')).to)
  assert.match(home.text, /Ships &amp; &lt;b&gt;more/)
  assert.equal(
    (await visitor.get('/dashboard/installation')).status,
    404,
    'the first one runs it, not every one',
  )
  assert.equal((await new Visitor(house).get(link)).status, 404)
  assert.equal((await new Visitor(house).fill(link, fields)).status, 404)
})

test('a new address counts once its own link is used, and the old address is notified', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const visitor = new Visitor(house)
  await visitor.signIn(person)
  const next = `new.${person.email}`
  assert.equal((await visitor.fill('/dashboard/account/email', { email: next })).status, 303)
  assert.equal((await new Visitor(house).signIn({ email: next })).status, 401, 'nothing has changed yet')
  const link = await linkTo(house, next)
  const anywhere = new Visitor(house)
  await anywhere.get(link)
  assert.equal((await anywhere.post(link)).status, 303)
  assert.equal((await anywhere.post(link)).status, 404)
  assert.equal((await new Visitor(house).signIn({ email: next })).status, 303)
  assert.equal((await emailsTo(house, person.email))[0]?.subject, 'Your address was changed')
})

test('someone else’s address can’t be taken, and the answer doesn’t reveal that it is in use', async () => {
  const [person, somebody] = [
    await newPerson(house, { role: 'viewer' }),
    await newPerson(house, { role: 'viewer' }),
  ]
  const visitor = new Visitor(house)
  await visitor.signIn(person)
  assert.equal(
    (await visitor.fill('/dashboard/account/email', { email: somebody.email.toUpperCase() })).status,
    303,
  )
  assert.equal((await emailsTo(house, somebody.email)).length, 0)
})

test('a command’s link signs in once, for a quarter of an hour', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const path = await makeSignInLink(house.db, { email: person.email }, bySystem, { now: clock.now() })
  const visitor = new Visitor(house)
  assert.match((await visitor.get(path)).text, new RegExp(person.email))
  assert.equal((await visitor.get('/dashboard/account')).status, 303)
  await visitor.get(path)
  assert.equal((await visitor.post(path)).status, 303)
  assert.equal((await visitor.get('/dashboard/account')).status, 200)
  const again = new Visitor(house)
  assert.match((await again.get(path)).text, /It was already used/)
  assert.equal((await again.fill(path, {})).status, 404)
  const late = await makeSignInLink(house.db, { email: person.email }, bySystem, { now: clock.now() })
  clock.jump(15 * minutes)
  assert.equal((await again.get(late)).status, 404)
  await assert.rejects(
    makeSignInLink(house.db, { email: 'nobody@example.com' }, bySystem),
    /No account uses this address/,
  )
})

test('a link that was replaced says so', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const asReset = [await askForReset(person.email), await askForReset(person.email)] as const
  const make = async () => makeSignInLink(house.db, { email: person.email }, bySystem, { now: clock.now() })
  const asSignIn = [await make(), await make()] as const
  for (const [[older, newer], sentence] of [
    [asReset, /Use the link in the newest e-mail/],
    [asSignIn, /A newer sign-in link replaced it/],
  ] as const) {
    const visitor = new Visitor(house)
    assert.equal((await visitor.get(newer)).status, 200)
    for (const answer of [await visitor.get(older), await visitor.post(older, { password: newPassword })]) {
      assert.equal(answer.status, 404)
      assert.match(answer.text, sentence)
    }
  }
})

test('a command’s link opens the dashboard page it names, and no other site', async () => {
  const person = await newPerson(house, { role: 'owner' })
  for (const [next, opened] of [
    ['/dashboard/12345678/test', '/dashboard/12345678/test'],
    ['https://shop.invalid/dashboard', '/dashboard'],
    ['//shop.invalid/dashboard', '/dashboard'],
  ]) {
    const link = await makeSignInLink(house.db, { email: person.email }, bySystem, { now: clock.now() })
    const answer = await new Visitor(house).fill(`${link}?next=${next}`, {})
    assert.equal(answer.headers.get('location'), opened)
  }
})

test('links and passwords are nowhere in the database or the log', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const link = await askForReset(person.email)
  const secret = link.split('/').at(-1) ?? ''
  assert.match(secret, /^[\w-]{32}$/)
  await new Visitor(house).get(link)
  const stored = await dumpTables(house)
  assert.ok(!stored.includes(secret) && !house.log().includes(secret))
  assert.ok(!stored.includes(Buffer.from(secret).toString('hex')))
  assert.ok(!stored.includes(newPassword) && !house.log().includes(newPassword))
})

test('repeated requests for e-mails to one address are slowed down', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const statuses = []
  for (let n = 0; n < 6; n += 1)
    statuses.push((await new Visitor(house).fill('/dashboard/forgotten', { email: person.email })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
  // They are written after the answer, so that its time says nothing about the address.
  assert.equal((await emailsTo(house, person.email)).length, 4)
})

test('expired rows are deleted', async () => {
  clock.jump(60 * 24 * 60 * minutes)
  await house.app.jobs.find(({ name }) => name === 'forget old sessions and links')?.run()
  const [left] = await house.db.query<{ count: number }>(sql`
    select ((select count(*) from sessions) + (select count(*) from person_links)
            + (select count(*) from sign_in_waits))::integer as count`)
  assert.equal(left?.count, 0)
})
