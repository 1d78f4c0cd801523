import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { waitUntil } from '../support/wait-until.ts'
import { Database, type Row } from '../../src/platform/database/database.ts'
import type { Listener } from '../../src/platform/database/listen.ts'
import { listenPatiently } from '../support/listen-patiently.ts'
import { sql, type Sql } from '../../src/platform/database/sql.ts'
import { makeAuthenticator, makeFindMerchant } from '../../src/core/merchants/authenticate.ts'
import { createKey, rollKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { listKeys } from '../../src/core/merchants/list.ts'

// How long a key may be used, and what is written of its use.

class CountingDatabase extends Database {
  queries = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.queries += 1
    return super.query<R>(statement)
  }
}

let home: TestDatabase
let db: CountingDatabase
let listener: Listener
before(async () => {
  home = await createTestDatabase()
  db = new CountingDatabase(home.url)
  listener = listenPatiently(home.url)
  await waitUntil('it listens', () => listener.connected)
})
after(async () => {
  await listener.close()
  await db.close()
  await home.drop()
})

test('an expired key is refused from that very moment', async () => {
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const { key, id } = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
  await rollKey(db, merchantId, id, 1)
  const endsAt = (await listKeys(db, merchantId)).find((one) => one.id === id)?.ends_at ?? ''
  let time = Date.parse(endsAt) - 1
  const authenticator = makeAuthenticator(db, listener, () => time)
  assert.equal((await authenticator.secretKey(`Bearer ${key}`)).keyId, id)
  time += 1
  await assert.rejects(authenticator.secretKey(`Bearer ${key}`), { code: 'unauthorized' })
})

test('a form without a key is told that it needs one', async () => {
  const authenticator = makeAuthenticator(db, listener)
  for (const none of [undefined, ''])
    await assert.rejects(authenticator.formKey(none), {
      code: 'unauthorized',
      message: 'secret_key is required',
    })
})

test('an unknown merchant is not found', async () => {
  assert.equal(await makeFindMerchant(db, listener)(10_000_000), undefined)
})

test('when one key’s use can’t be recorded others’ still is; when none can, it soon gives up', async () => {
  const authenticator = makeAuthenticator(db, listener)
  const made: { merchantId: number; id: string }[] = []
  const use = async (count: number): Promise<void> => {
    made.length = 0
    for (let one = 0; one < count; one += 1) {
      const merchantId = await createMerchant(db, { name: 'Corner shop' })
      const { key, id } = await createKey(db, merchantId, { kind: 'secret', name: 'till' })
      await authenticator.secretKey(`Bearer ${key}`)
      made.push({ merchantId, id })
    }
  }
  const countWritten = async (): Promise<number> => {
    const rows = await db.query(sql`
      select from keys where last_used_at is not null and id = any(${made.map(({ id }) => id)})`)
    return rows.length
  }
  await use(3)
  await db.query(sql`create table refused (merchant_id integer)`)
  await db.query(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if old.merchant_id in (select merchant_id from refused) then raise exception 'This one can not be written'; end if;
      return new;
    end $$`)
  await db.query(sql`
    create trigger refuse before update on keys for each row execute function refuse()`)
  await db.query(sql`insert into refused values (${made[0]?.merchantId})`)
  await assert.rejects(authenticator.flush(), /can not be written/)
  assert.equal(await countWritten(), 2)

  await use(6)
  for (const { merchantId } of made) await db.query(sql`insert into refused values (${merchantId})`)
  const queries = db.queries
  await assert.rejects(authenticator.flush(), /can not be written/)
  assert.equal(db.queries - queries, 3, 'a database that is away is not waited for once for each merchant')
  await db.query(sql`drop function refuse() cascade`)
})
