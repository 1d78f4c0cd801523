import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formsIn, pageAsk } from '../../../../test/support/dashboard/page-ask.ts'
import { openPeople, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson } from '../../../../test/support/visitor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { insertPasskey } from '../factors/factor-store.ts'
import { drawProve } from './proving.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

const site = { host: 'localhost', origin: 'http://localhost' }

test('a passkey is asked for once the person has one, where passkeys work', async () => {
  const { id } = await newPerson(room)
  const ways = async (where: 'here' | 'nowhere' = 'here') => {
    const ask = pageAsk({
      person: { id },
      people: room.people,
      site: where === 'here' ? site : undefined,
      request: { method: 'GET' } as never,
    })
    return Object.keys(formsIn((await drawProve(ask)).body))
  }
  assert.deepEqual(await ways(), ['Continue'])
  const passkey = {
    id: 'pk_1',
    personId: id,
    publicKey: Buffer.from('key'),
    counter: 0n,
    transports: [],
    name: 'Phone',
  }
  await inTransaction(room.db, async (tx) => insertPasskey(tx, passkey))
  assert.deepEqual(await ways(), ['Continue', 'Use a passkey'])
  assert.deepEqual(await ways('nowhere'), ['Continue'])
})
