import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../test/support/people.ts'
import { newPerson } from '../../../test/support/visitor.ts'
import { sql } from '../../platform/database/sql.ts'
import { rename } from './change-account.ts'
import { confirmAddressEmail } from './emails.ts'
import { findPerson } from './store.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

test('a new name is audited for the merchant, and the same name again isn’t', async () => {
  const { id, email, name } = await newPerson(room, { role: 'viewer' })
  const person = { ...(await findPerson(room.db, id)), id, email, name } as Parameters<typeof rename>[1]
  const acts = async () =>
    room.db.query<{ before: object; after: object }>(sql`
      select before, after from audit_log where merchant_id = ${room.merchantId} and action = 'person.renamed'`)
  await rename(room.people, person, name, visitorFrom('192.0.2.1'))
  assert.deepEqual(await acts(), [])
  await rename(room.people, person, 'Grace', visitorFrom('192.0.2.1'))
  assert.equal((await findPerson(room.db, id))?.name, 'Grace')
  assert.equal((await acts()).length, 1)
})

test('no account e-mail is titled as a failure', () => {
  assert.equal(
    confirmAddressEmail({ email: 'a@example.com', name: 'Ada' }, 'https://x.example', 5).isGood,
    true,
  )
})
