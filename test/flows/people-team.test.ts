import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { openHouse, type House } from '../support/house.ts'
import {
  actionsOf,
  emailsTo,
  goodPassword,
  linkTo,
  newPerson,
  signedIn,
  Visitor,
  type PersonAt,
} from '../support/visitor.ts'

// Who belongs to a merchant, how they come and how they go.

let house: House
let owner: PersonAt
let visitor: Visitor
let team: string

before(async () => {
  house = await openHouse()
  owner = await newPerson(house, { role: 'owner' })
  visitor = new Visitor(house)
  await visitor.signIn(owner)
  team = `/dashboard/${house.merchantId}/test/team`
})
after(() => house.close())

async function invite(email: string, role: string): Promise<string> {
  const seen = await visitor.fill(`${team}/invite`, { email, role })
  const link = await linkTo(house, email)
  assert.equal(seen.status, 200)
  assert.ok(seen.text.includes(link), 'without a mail server the page shows the link')
  return link
}

test('someone without an account joins by an e-mail, once', async () => {
  const email = 'grace@example.com'
  const link = await invite(email, 'developer')
  const guest = new Visitor(house)
  assert.match(
    (await guest.get(link)).text,
    /Join Corner shop[^]*invited as developer, with grace@example.com/,
  )
  assert.equal((await guest.post(link, { name: 'Grace', password: 'password123' })).status, 400)
  const joined = await guest.post(link, { name: 'Grace', password: goodPassword })
  assert.equal(joined.to, `/dashboard/${house.merchantId}/test`)
  assert.equal((await guest.get(joined.to)).status, 200)
  assert.match((await visitor.get(team)).text, /Grace/)
  assert.equal((await new Visitor(house).fill(link, { name: 'Eve', password: goodPassword })).status, 404)
})

test('someone with an account signs in and joins, in a new session; nobody else can', async () => {
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  const person = await newPerson(house, { role: 'owner', merchantId: elsewhere })
  const link = await invite(person.email, 'support')
  const eve = await signedIn(house, { role: 'viewer', merchantId: elsewhere })
  assert.match((await eve.get(link)).text, /signed in with another address/)
  assert.equal((await eve.post(link)).status, 403)
  const nobody = new Visitor(house)
  await nobody.get(link)
  assert.equal((await nobody.post(link, { name: 'Eve', password: goodPassword })).status, 403)
  const guest = new Visitor(house)
  assert.match((await guest.get(link)).text, /Sign in to join/)
  await guest.signIn(person)
  const old = guest.cookie('session')
  assert.equal((await guest.fill(link, {})).status, 303)
  assert.notEqual(guest.cookie('session'), old)
  const home = await guest.get(`/dashboard/${house.merchantId}/test`)
  assert.match(home.text, /Elsewhere/, 'both are in the menu')
  assert.equal((await guest.get(`/dashboard/${elsewhere}/live`)).status, 200)
})

test('an invitation can be withdrawn, and a newer one invalidates the older', async () => {
  const first = await invite('late@example.com', 'viewer')
  const second = await invite('LATE@example.com', 'support')
  assert.equal((await new Visitor(house).get(first)).status, 404)
  assert.equal((await new Visitor(house).get(second)).status, 200)
  const { text } = await visitor.get(team)
  const id = /LATE@example.com[^]*?name="id" value="([^"]+)"/.exec(text)?.[1] ?? ''
  assert.equal((await visitor.post(`${team}/do/withdraw`, { id })).status, 303)
  assert.equal((await new Visitor(house).get(second)).status, 404)
  assert.equal((await visitor.post(`${team}/do/withdraw`, { id })).status, 404)
})

test('one merchant’s invitation doesn’t work at another', async () => {
  const link = await invite('moved@example.com', 'viewer')
  const other = await createMerchant(house.db, { name: 'Other' })
  assert.equal(
    (await new Visitor(house).get(link.replace(String(house.merchantId), String(other)))).status,
    404,
  )
})

test('a person whose role changes or who is removed is signed out at once', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const member = new Visitor(house)
  await member.signIn(person)
  assert.equal((await visitor.fill(`${team}/${person.id}`, { role: 'developer' })).status, 303)
  assert.match((await member.get(team)).to, /sign-in/)
  await member.signIn(person)
  assert.equal((await member.get(team.replace('team', 'audit'))).status, 200, 'as a developer')
  await visitor.get(`${team}/${person.id}`)
  assert.equal((await visitor.post(`${team}/${person.id}/do/remove`)).status, 303)
  assert.match((await member.get(team)).to, /sign-in/)
  await member.signIn(person)
  assert.equal((await member.get(team)).status, 404)
  assert.match((await member.get('/dashboard')).text, /re not in any team/)
})

test('unknown roles can’t be given, and nobody can change their own', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  assert.equal((await visitor.fill(`${team}/${person.id}`, { role: 'operator' })).status, 400)
  assert.equal((await visitor.fill(`${team}/${person.id}`, {})).status, 400)
  const own = await visitor.fill(`${team}/${owner.id}`, { role: 'viewer' })
  assert.match(own.text, /Ask another owner/)
})

test('the last owner can’t leave, be removed or step down, and two can’t leave at once', async () => {
  const merchantId = await createMerchant(house.db, { name: 'Two owners' })
  const place = `/dashboard/${merchantId}/test/team`
  const people = [
    await newPerson(house, { role: 'owner', merchantId }),
    await newPerson(house, { role: 'owner', merchantId }),
  ]
  const visitors = people.map(() => new Visitor(house))
  for (const [n, one] of visitors.entries()) {
    await one.signIn(people[n] as PersonAt)
    await one.get(`${place}/leave`)
  }
  const seen = await Promise.all(visitors.map((one) => one.post(`${place}/leave`)))
  assert.deepEqual(
    seen.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 400],
  )
  const left = visitors[seen.findIndex(({ status }) => status === 400)] as Visitor
  assert.match((await left.fill(`${place}/leave`, {})).text, /A team needs an owner/)
})

test('one merchant’s people can’t be reached through another', async () => {
  const elsewhere = await createMerchant(house.db, { name: 'Far away' })
  const stranger = await newPerson(house, { role: 'viewer', merchantId: elsewhere })
  assert.equal((await visitor.get(`${team}/${stranger.id}`)).status, 404)
  await visitor.get(team)
  assert.equal((await visitor.post(`${team}/${stranger.id}/do/remove`)).status, 404)
  assert.equal((await visitor.post(`${team}/${stranger.id}`, { role: 'owner' })).status, 404)
})

test('a name that is markup or a header stays a name', async () => {
  const email = 'odd@example.com'
  await invite(email, 'viewer')
  const person = await newPerson(house, { role: 'viewer' })
  const member = new Visitor(house)
  await member.signIn(person)
  await member.fill('/dashboard/account/name', { name: '<img src=x onerror=alert(1)>' })
  assert.doesNotMatch((await visitor.get(team)).text, /<img/)
  assert.equal(
    (await member.fill('/dashboard/account/name', { name: 'a\r\nBcc: x@example.com' })).status,
    400,
  )
  assert.equal(
    (await visitor.fill(`${team}/invite`, { email: 'a@b.example,c@d.example', role: 'viewer' })).status,
    400,
  )
  assert.equal((await emailsTo(house, email)).length, 1)
})

test('every act is audited, with who and from where', async () => {
  const actions = new Set(await actionsOf(house))
  for (const action of [
    'person.signed_in',
    'person.renamed',
    'team.invited',
    'team.invitation_withdrawn',
    'team.joined',
    'team.role_changed',
    'team.removed',
  ] as const)
    assert.ok(actions.has(action), action)
  const page = await visitor.get(`/dashboard/${house.merchantId}/test/audit?what=team.`)
  assert.match(page.text, /Role changed/)
  assert.match(page.text, new RegExp(owner.name))
  assert.doesNotMatch(page.text, /Signed in/)
  const exported = await visitor.post(`/dashboard/${house.merchantId}/test/audit/do/export`, {
    what: 'team.',
  })
  assert.equal(exported.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.match(exported.text, /team\.invited,grace@example\.com,,"\{""role"":""developer""\}"/)
  assert.ok((await actionsOf(house)).includes('audit.exported'))
})
