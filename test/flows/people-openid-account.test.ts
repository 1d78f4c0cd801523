import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { hours, makeStillClock, minutes } from '../support/clock.ts'
import type { House } from '../support/house.ts'
import { OpenIdHouse, somebody } from '../support/openid-house.ts'
import type { OpenIdStandIn } from '../support/openid-provider.ts'
import { emailsTo, linkTo, newPerson, signedIn, Visitor } from '../support/visitor.ts'

// What an account at the company's provider is good for besides signing in: a fresh proof, an answer to an invitation; and
// how the two are connected and come apart.

const clock = makeStillClock()
let at: OpenIdHouse
let house: House
let provider: OpenIdStandIn
before(async () => {
  at = await OpenIdHouse.open(clock)
  ;({ house, provider } = at)
})
beforeEach(() => at.rest())
after(() => at.close())

test('a sign-in counts as fresh proof from the provider’s sign-in time, and not if that is unknown', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const as = somebody()
  await at.link(person, as)
  const invite = `/dashboard/${house.merchantId}/test/team/invite`
  const just = new Visitor(house)
  provider.signedInAt = new Date(clock.now().getTime() - 9 * minutes)
  await at.signIn(just, as)
  assert.equal((await just.get(invite)).status, 200)
  clock.jump(minutes)
  assert.match((await just.get(invite)).to, /\/dashboard\/prove/)
  const unsaid = new Visitor(house)
  provider.mood = 'no_auth_time'
  await at.signIn(unsaid, as)
  assert.match((await unsaid.get(invite)).to, /\/dashboard\/prove/)
})

test('a proof at the provider asks for the password there again, and must be by the same person', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const as = somebody()
  const visitor = await at.link(person, as)
  clock.jump(hours)
  const invite = `/dashboard/${house.merchantId}/test/team/invite`
  const prove = (await visitor.get(invite)).to
  assert.match((await visitor.get(prove)).text, /Confirm with Example GmbH/)
  const address = await at.setOut(visitor, prove, '/dashboard/prove/openid', { next: invite })
  const query = new URL(address).searchParams
  assert.deepEqual([query.get('max_age'), query.get('prompt')], ['0', 'login'])

  const wrong = await visitor.get(provider.visit(address, somebody()))
  assert.equal(wrong.status, 401)
  const again = await at.setOut(visitor, prove, '/dashboard/prove/openid', { next: invite })
  const back = provider.visit(again, as)
  const old = visitor.cookie('session')
  const proved = await visitor.get(back)
  assert.deepEqual([proved.status, proved.to], [303, invite])
  assert.notEqual(visitor.cookie('session'), old)
  assert.equal((await visitor.get(invite)).status, 200)

  clock.jump(hours)
  const third = await at.setOut(visitor, prove, '/dashboard/prove/openid', { next: invite })
  // A provider that looks away: it answers with the sign-in of this morning.
  provider.visit(third, as)
  provider.signedInAt = new Date(clock.now().getTime() - hours)
  const lazy = provider.visit(third.replace('max_age=0', 'max_age=9'), as)
  assert.equal((await visitor.get(lazy)).status, 401)
  assert.match((await visitor.get(invite)).to, /\/dashboard\/prove/)
})

test('an account at the provider belongs to one person, and a person has one there', async () => {
  const [ada, grace] = [
    await newPerson(house, { role: 'viewer' }),
    await newPerson(house, { role: 'viewer' }),
  ]
  const as = somebody()
  await at.link(ada, as)
  for (const [person, other] of [
    [grace, as],
    [ada, somebody()],
  ] as const) {
    const visitor = new Visitor(house)
    await visitor.signIn(person)
    await visitor.get('/dashboard/account')
    const seen = await visitor.post('/dashboard/account/openid')
    const back = provider.visit(seen.headers.get('refresh')?.replace('0; url=', '') ?? '', other)
    const refused = await visitor.get(back)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /already connected/)
  }
})

test('a connection started by one person fails if someone else is signed in at its end', async () => {
  const [ada, grace] = [
    await newPerson(house, { role: 'viewer' }),
    await newPerson(house, { role: 'viewer' }),
  ]
  const visitor = new Visitor(house)
  await visitor.signIn(ada)
  const address = await at.setOut(visitor, '/dashboard/account/openid', '/dashboard/account/openid')
  await visitor.get('/dashboard/account')
  await visitor.post('/dashboard/sign-out')
  await visitor.signIn(grace)
  const as = somebody()
  assert.equal((await visitor.get(provider.visit(address, as))).to, '/dashboard/sign-in')
  assert.equal((await at.signIn(new Visitor(house), as)).status, 403)
})

test('disconnecting sends an e-mail, and the last way to sign in stays', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const as = somebody()
  const visitor = await at.link(person, as)
  await house.db.query(sql`update people set password_hash = null where id = ${person.id}`)
  const refused = await visitor.fill('/dashboard/account/openid', {}, '/dashboard/account/openid/do/remove')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /only way to sign in/)
  await house.db.query(sql`update people set password_hash = 'x' where id = ${person.id}`)
  const gone = await visitor.post('/dashboard/account/openid/do/remove')
  assert.deepEqual([gone.status, gone.to], [303, '/dashboard/account'])
  assert.equal((await at.signIn(new Visitor(house), as)).status, 403)
  assert.ok((await emailsTo(house, person.email)).some(({ subject }) => subject.includes('disconnected')))
})

async function inviteByMail(email: string): Promise<string> {
  const owner = await signedIn(house, { role: 'owner' })
  await owner.fill(`/dashboard/${house.merchantId}/test/team/invite`, { email, role: 'support' })
  return linkTo(house, email)
}

test('an invited person joins without a password if the provider verified that address', async () => {
  const as = somebody({ name: 'Ada Lovelace' })
  const path = await inviteByMail(as.email ?? '')
  for (const wrong of [
    { ...as, email_verified: false },
    { ...as, email_verified: 'true' },
    { ...as, email: 'other@example.com' },
    { sub: as.sub },
  ]) {
    const visitor = new Visitor(house)
    const refused = await visitor.get(
      provider.visit(await at.setOut(visitor, path, `${path}/do/openid`), wrong),
    )
    assert.deepEqual([refused.status, visitor.cookie('session')], [400, undefined], JSON.stringify(wrong))
  }
  const visitor = new Visitor(house)
  const address = await at.setOut(visitor, path, `${path}/do/openid`)
  const joined = await visitor.get(provider.visit(address, as))
  assert.deepEqual([joined.status, joined.to], [303, `/dashboard/${house.merchantId}/test`], joined.text)
  assert.match((await visitor.get('/dashboard/account')).text, /Ada Lovelace/)
  assert.equal((await visitor.get(path)).status, 404, 'the invitation is used')
  assert.equal((await at.signIn(new Visitor(house), as)).status, 303)
})
