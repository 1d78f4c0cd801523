import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { totpPlace } from '../../src/dashboard/people/factors/second-factor.ts'
import { codeAt, drawTotpSecret, stepAt } from '../../src/dashboard/people/factors/totp.ts'
import { setTotp } from '../../src/dashboard/people/store.ts'
import { hours, makeStillClock, minutes } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { OpenIdHouse, somebody } from '../support/openid-house.ts'
import type { OpenIdStandIn, ProviderMood } from '../support/openid-provider.ts'
import { dumpTables } from '../support/search-everything.ts'
import { actionsOf, emailsTo, newPerson, Visitor } from '../support/visitor.ts'

// Signing in through the company's OpenID provider, against one of our own that speaks the protocol and lies on request.

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

test('the button leads to the provider with state, nonce and a PKCE challenge, and no secret', async () => {
  await newPerson(house)
  const visitor = new Visitor(house)
  assert.match((await visitor.get('/dashboard/sign-in')).text, /Sign in with Example GmbH/)
  const query = new URL(await at.startSignIn(visitor)).searchParams
  assert.equal(query.get('redirect_uri'), 'http://127.0.0.1:3000/dashboard/openid/callback')
  assert.equal(query.get('response_type'), 'code')
  assert.equal(query.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge'])
    assert.match(query.get(name) ?? '', /^[\w-]{43}$/, name)
  assert.equal(query.get('client_secret'), null)
  const dump = await dumpTables(house)
  for (const secret of [query.get('state'), visitor.cookie('flow')?.split('.')[0]])
    assert.ok(secret && !dump.includes(secret), 'nothing of the journey stands in the database')
})

test('a connected person signs in with either algorithm, and reaches the requested page', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const as = somebody()
  await at.link(person, as)
  for (const algorithm of ['RS256', 'ES256'] as const) {
    provider.algorithm = algorithm
    const visitor = new Visitor(house)
    const next = `/dashboard/${house.merchantId}/test/team`
    const seen = await at.signIn(
      visitor,
      { ...as, email: 'new@elsewhere.example', email_verified: false },
      { next },
    )
    assert.deepEqual([seen.status, seen.to], [303, next], algorithm)
    assert.match((await visitor.get('/dashboard/account')).text, new RegExp(person.email))
    assert.equal(visitor.cookie('flow'), undefined)
  }
  const actions = await actionsOf(house)
  assert.ok(actions.includes('person.openid_linked'))
  const subjects = (await emailsTo(house, person.email)).map(({ subject }) => subject)
  assert.ok(subjects.includes('Your account at Example GmbH was connected'))
  const [entry] = await house.db.query<{ after: { way: string } }>(sql`
    select after from audit_log where actor = ${person.id} and action = 'person.signed_in' order by at desc limit 1`)
  assert.equal(entry?.after.way, 'openid')
})

test('an address alone lets nobody in, even if verified, and the answer doesn’t reveal who has an account', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const taker = await at.signIn(new Visitor(house), somebody({ email: person.email }))
  const stranger = await at.signIn(new Visitor(house), somebody())
  assert.equal(taker.status, 403)
  assert.match(taker.text, /No Florin account is connected to your account at Example GmbH/)
  assert.equal(taker.text, stranger.text)
  const rows = await house.db.query(sql`select from sessions where person_id = ${person.id}`)
  assert.equal(rows.length, 0)
})

const lies: readonly ProviderMood[] = [
  'wrong_nonce',
  'wrong_audience',
  'wrong_issuer',
  'expired',
  'alg_none',
  'signed_with_our_secret',
  'foreign_key',
  'token_error',
]

test('an answer with anything wrong in it is refused', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const as = somebody()
  await at.link(person, as)
  for (const mood of lies) {
    provider.mood = 'good'
    const visitor = new Visitor(house)
    const address = await at.startSignIn(visitor)
    provider.mood = mood
    const seen = await visitor.get(provider.visit(address, as))
    assert.equal(seen.status, 403, mood)
    assert.match(seen.text, /verify the answer from/, mood)
    assert.equal(visitor.cookie('session'), undefined, mood)
  }
  assert.doesNotMatch(
    house.log(),
    new RegExp(as.email ?? 'none'),
    'the log says what was wrong and not of whom',
  )
  provider.mood = 'good'
  assert.equal((await at.signIn(new Visitor(house), as)).status, 303, 'and then a good one does')
})

test('an unavailable provider is reported, and the password still works', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const as = somebody()
  await at.link(person, as)
  for (const mood of ['broken', 'not_json'] as const) {
    provider.mood = 'good'
    const visitor = new Visitor(house)
    const address = await at.startSignIn(visitor)
    provider.mood = mood
    const seen = await visitor.get(provider.visit(address, as))
    assert.deepEqual([seen.status, visitor.cookie('session')], [mood === 'broken' ? 503 : 403, undefined])
    // What was read of the provider is forgotten after ten minutes: then the journey can't even begin.
    clock.jump(11 * minutes)
    const late = await visitor.fill('/dashboard/sign-in', {}, '/dashboard/sign-in/openid')
    assert.equal(late.status, mood === 'broken' ? 503 : 403, late.text)
    if (mood === 'broken') assert.match(late.text, /Example GmbH isn.{1,7}t responding/)
    assert.equal((await visitor.signIn(person)).status, 303)
  }
})

test('an answer works once, in the browser that asked, for ten minutes', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const as = somebody()
  await at.link(person, as)
  const victim = new Visitor(house)
  const address = await at.startSignIn(victim)
  const back = provider.visit(address, as)
  const thief = new Visitor(house)
  const nobody = await thief.get(back)
  assert.deepEqual([nobody.status, thief.cookie('session')], [400, undefined], 'a browser without a journey')
  await at.startSignIn(thief)
  assert.equal((await thief.get(back)).status, 400, 'a browser with another journey')
  assert.equal((await victim.get(back)).status, 303, 'neither has ended that of the victim')
  victim.cookies.set('florin-3000-flow', 'x')
  assert.equal((await victim.get(back)).status, 400, 'once')

  const slow = new Visitor(house)
  const late = provider.visit(await at.startSignIn(slow), as)
  clock.jump(10 * minutes)
  assert.equal((await slow.get(late)).status, 400, 'and not for long')
})

test('a provider’s refusal, or another provider’s answer, is no sign-in, and isn’t repeated on the page', async () => {
  const as = somebody()
  const visitor = new Visitor(house)
  const address = await at.startSignIn(visitor)
  const said = { error: 'access_denied', error_description: '<b>call 0800 1234</b>', code: '' }
  const refused = await visitor.get(provider.visit(address, as, said))
  assert.equal(refused.status, 403)
  assert.doesNotMatch(refused.text, /\b0800\b/)
  const mixed = new Visitor(house)
  const other = await at.startSignIn(mixed)
  const seen = await mixed.get(provider.visit(other, as, { iss: 'https://evil.example' }))
  assert.deepEqual([seen.status, mixed.cookie('session')], [403, undefined])
})

test('sign-in with a provider never redirects to another site', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const as = somebody()
  await at.link(person, as)
  for (const next of ['//evil.example', 'https://evil.example', '/docs'])
    assert.equal((await at.signIn(new Visitor(house), as, { next })).to, '/dashboard')
  const visitor = new Visitor(house)
  const back = provider.visit(await at.startSignIn(visitor), as)
  const [name = '', cookie = ''] = [...visitor.cookies].find(([key]) => key.endsWith('-flow')) ?? []
  const evil = Buffer.from('https://evil.example/').toString('base64url')
  visitor.cookies.set(name, `${cookie.split('.')[0]}.${evil}`)
  assert.equal((await visitor.get(back)).to, '/dashboard', 'nor by a cookie that was changed')
})

test('authenticator codes are required after the provider as after a password', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const as = somebody()
  await at.link(person, as)
  const secret = drawTotpSecret()
  await inTransaction(house.db, async (tx) =>
    setTotp(tx, person.id, house.secrets.seal(totpPlace(person.id), secret), 0n),
  )
  const visitor = new Visitor(house)
  provider.signedInAt = new Date(clock.now().getTime() - hours)
  const seen = await at.signIn(visitor, as)
  assert.equal(seen.to, '/dashboard/second-factor')
  assert.match((await visitor.get('/dashboard/account')).to, /sign-in/)
  const code = codeAt(secret, stepAt(clock.now()))
  assert.equal((await visitor.fill('/dashboard/second-factor', { code })).status, 303)
  assert.equal((await visitor.get('/dashboard/account')).status, 200)
  assert.match(
    (await visitor.get('/dashboard/account/password')).to,
    /\/dashboard\/prove/,
    'a code is no fresh proof',
  )
  const [entry] = await house.db.query<{ after: { way: string } }>(sql`
    select after from audit_log where actor = ${person.id} and action = 'person.signed_in' order by at desc limit 1`)
  assert.equal(entry?.after.way, 'openid_and_code')
})

test('without the setting there is no button and no page', async () => {
  const plain = await openHouse({ databaseUrl: house.databaseUrl, world: { now: clock.now } })
  const visitor = new Visitor(plain)
  assert.doesNotMatch((await visitor.get('/dashboard/sign-in')).text, /openid/)
  assert.equal((await visitor.post('/dashboard/sign-in/openid')).status, 404)
  assert.equal((await visitor.get('/dashboard/openid/callback?code=x&state=y')).status, 404)
  await plain.close()
})

test('a public client without a secret works too', async () => {
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'public' }
  const open = await openHouse({ databaseUrl: house.databaseUrl, world: { now: clock.now }, settings })
  const seen = await new Visitor(open).fill('/dashboard/sign-in', {}, '/dashboard/sign-in/openid')
  assert.match(seen.headers.get('refresh') ?? '', /^0; url=.*client_id=public/)
  await open.close()
})
