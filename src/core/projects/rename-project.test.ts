import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { Database, inTransaction } from '../../platform/database/database.ts'
import { createProject, refuseTakenName } from './create-project.ts'
import { readName } from './names.ts'
import { setName } from './store.ts'

let database: TestDatabase
let db: Database

before(async () => {
  database = await createTestDatabase()
  db = new Database(database.url, { poolSize: 4 })
})
after(async () => {
  await db.close()
  await database.drop()
})

test('two projects that swap names at the same moment are both refused', async () => {
  const merchantId = await createMerchant(db, { name: 'Shop' })
  const one = await createProject(db, merchantId, { project: 'One' })
  const other = await createProject(db, merchantId, { project: 'Other' })
  const bothHaveLetGo = Promise.withResolvers<void>()
  let letGo = 0
  // In one rename the moment between letting the old name go and asking for the new one is too short to meet.
  const rename = (id: string, name: string): Promise<unknown> =>
    inTransaction(db, async (tx) => {
      await setName(tx, merchantId, { id }, readName({ project: `not ${name}` }))
      letGo += 1
      if (letGo === 2) bothHaveLetGo.resolve()
      await bothHaveLetGo.promise
      await refuseTakenName(() => setName(tx, merchantId, { id }, readName({ project: name })))
    })
  const ends = await Promise.allSettled([rename(one.id, 'Other'), rename(other.id, 'One')])
  const codes = ends.map((end) => end.status === 'rejected' && (end.reason as { code: string }).code)
  assert.deepEqual(codes, ['name_taken', 'name_taken'])
})
