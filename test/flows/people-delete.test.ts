import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { setPasswordHash } from '../../src/dashboard/people/store.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { hours, makeStillClock } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { dumpTables } from '../support/search-everything.ts'
import { goodPassword, emailsTo, linkTo, newPerson, Visitor, type PersonAt } from '../support/visitor.ts'

// Somebody deletes the own account: nothing lets them in any more, and what they did is still known.

const clock = makeStillClock()
const path = '/dashboard/account/delete'
let house: House
before(async () => {
  house = await openHouse({ world: { now: clock.now } })
  await newPerson(house, { role: 'owner', isOperator: true })
})
after(() => house.close())

async function signedIn(person: PersonAt): Promise<Visitor> {
  const visitor = new Visitor(house)
  await visitor.signIn(person)
  return visitor
}

test('deleting the account signs out everywhere, for good, and sends an e-mail', async () => {
  const person = await newPerson(house, { role: 'owner' })
  const [own, away] = [await signedIn(person), await signedIn(person)]
  await new Visitor(house).fill('/dashboard/forgotten', { email: person.email })
  const reset = await linkTo(house, person.email)
  const page = await own.get(path)
  assert.match(page.text, /ll leave Corner shop/)
  const done = await own.post(path)
  assert.deepEqual([done.status, done.to], [303, '/dashboard/sign-in'])
  assert.equal(own.cookie('session'), undefined)
  assert.match((await own.get('/dashboard/sign-in')).text, /Your account is deleted/)
  assert.equal((await away.get('/dashboard/account')).status, 303)
  assert.equal((await new Visitor(house).signIn(person)).status, 401)
  assert.equal((await new Visitor(house).get(reset)).status, 404)
  const [letter] = await emailsTo(house, person.email)
  assert.equal(letter?.subject, 'Your account was deleted')
})

test('only audit entries remain, the last of which names the deleted id’s owner', async () => {
  const person = await newPerson(house, { role: 'support', email: 'grace.hopper@navy.example' })
  const visitor = await signedIn(person)
  await visitor.fill('/dashboard/account/name', { name: 'Grace Hopper' })
  for (const hash of ['hash-1 of grace', 'hash-2 of grace']) await setPasswordHash(house.db, person.id, hash)
  await visitor.fill(path, {})
  const entries = await house.db.query<{ action: string; before: unknown; merchant_id: number }>(sql`
    select action, before, merchant_id from audit_log where actor = ${person.id} order by at`)
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['person.signed_in', 'person.renamed', 'person.deleted', 'team.left'],
  )
  assert.deepEqual(entries[2]?.before, { name: 'Grace Hopper', email: 'g…@navy.example' })
  assert.ok(entries.every(({ merchant_id }) => merchant_id === house.merchantId))
  const tables = (await dumpTables(house)).split(/(?=COPY |insert into |public\.)/)
  const found = tables.filter((text) => text.includes(person.id))
  assert.ok(
    found.length > 0 && found.every((text) => text.includes('audit_log')),
    found.join('\n').slice(0, 500),
  )
  assert.doesNotMatch(tables.join(''), /of grace/, 'former passwords are gone')
})

test('a shop’s last owner can’t be deleted, and neither can the installation’s last operator', async () => {
  const alone = await createMerchant(house.db, { name: 'One-man shop' })
  const owner = await newPerson(house, { role: 'owner', merchantId: alone })
  const refused = await (await signedIn(owner)).fill(path, {})
  assert.equal(refused.status, 400)
  assert.match(refused.text, /A team needs an owner/)
  assert.equal((await new Visitor(house).signIn(owner)).status, 303, 'nothing was done')

  const [operator] = await house.db.query<{ id: string; email: string; name: string }>(
    sql`select id, email, name from people where is_operator`,
  )
  assert.ok(operator)
  await newPerson(house, { role: 'owner' })
  const stays = await (await signedIn(operator)).fill(path, {})
  assert.match(stays.text, /the only operator of this installation/)
  const second = await newPerson(house, { isOperator: true })
  assert.equal((await (await signedIn(second)).fill(path, {})).status, 303)
})

test('when two owners leave at once, one stays', async () => {
  const shop = await createMerchant(house.db, { name: 'Two owners' })
  const owners = [
    await newPerson(house, { role: 'owner', merchantId: shop }),
    await newPerson(house, { role: 'owner', merchantId: shop }),
  ]
  const visitors = await Promise.all(owners.map(signedIn))
  for (const visitor of visitors) await visitor.get(path)
  const seen = await Promise.all(visitors.map((visitor) => visitor.post(path)))
  assert.deepEqual(
    seen.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 400],
  )
})

test('deleting requires a fresh proof, and reusing the address makes a new person', async () => {
  const person = await newPerson(house, { role: 'viewer' })
  const visitor = await signedIn(person)
  await visitor.get('/dashboard/account')
  clock.jump(hours)
  assert.match((await visitor.post(path)).to, /\/dashboard\/prove/)
  await visitor.fill('/dashboard/prove', { password: goodPassword, next: path })
  assert.equal((await visitor.fill(path, {})).status, 303)
  const again = await newPerson(house, { email: person.email })
  assert.notEqual(again.id, person.id)
  assert.match((await (await signedIn(again)).get('/dashboard')).text, /shop/, 'and belongs to nobody')
})
