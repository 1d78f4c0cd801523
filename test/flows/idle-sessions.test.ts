import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { insertMember } from '../../src/dashboard/people/team/team-store.ts'
import { makeStillClock, minutes } from '../support/clock.ts'
import { openHouse, type House } from '../support/house.ts'
import { newPerson, signedIn, Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// How long a dashboard session lasts without use, as the person's shops choose.

const clock = makeStillClock()
let house: House

before(async () => {
  house = await openHouse({ world: { now: clock.now } })
})
after(() => house.close())

test('a session ends after the shortest time without use of its person’s shops', async () => {
  const strict = await createMerchant(house.db, { name: 'Strict' })
  const person = await newPerson(house, { role: 'viewer' })
  const owner = await signedIn(house, { merchantId: strict, role: 'owner' })
  await inTransaction(house.db, async (tx) => insertMember(tx, strict, person.id, 'viewer'))
  const edit = `/dashboard/${strict}/test/settings/payments/edit`
  assert.equal((await owner.fill(edit, { idle: '5' })).status, 400)
  const saved = await owner.fill(edit, { idle: '15' })
  assert.match((await owner.get(saved.to)).text, /After 15 minutes without use/)
  const [written] = await house.db.query<{ before: unknown; after: unknown }>(sql`
    select before, after from audit_log where merchant_id = ${strict} and action = 'merchant.changed'`)
  assert.deepEqual(written, { before: { idle_minutes: 720 }, after: { idle_minutes: 15 } })

  const account = '/dashboard/account'
  const signIn = async () => {
    const visitor = new Visitor(house)
    await visitor.signIn(person)
    return visitor
  }
  const visitor = await signIn()
  await waitUntil('every server knows the setting', async () =>
    (await visitor.get(`${account}/sessions`)).text.includes('after 15 minutes without use'),
  )
  clock.jump(15 * minutes - 1)
  assert.equal((await visitor.get(account)).status, 200)
  clock.jump(15 * minutes - 1)
  assert.equal((await visitor.get(account)).status, 200)
  clock.jump(15 * minutes)
  assert.equal((await visitor.get(account)).status, 303)

  const unattended = await signIn()
  unattended.headers['sec-fetch-dest'] = 'empty'
  clock.jump(14 * minutes)
  assert.equal((await unattended.get(account)).status, 200)
  clock.jump(minutes)
  assert.equal((await unattended.get(account)).status, 303, 'a request of the page itself is no use')
})
