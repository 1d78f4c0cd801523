import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { applicationPassword } from '../../src/platform/postgres/embedded-cluster.ts'
import { ensureApplicationRole } from '../../src/platform/postgres/embedded.ts'
import { inTransaction, sqlState } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openHouse, type House } from '../support/house.ts'

// Entries of the audit log go when their time is over, by the worker's hand and no other. Florin runs here as on the embedded
// PostgreSQL: as a role that may not delete from the log at all.

let home: TestDatabase
let house: House
let owner: pg.Client
before(async () => {
  home = await createTestDatabase()
  const application = new URL(home.url)
  application.username = 'florin_app'
  application.password = applicationPassword(application.password)
  await ensureApplicationRole(home.url, application.password)
  house = await openHouse({ databaseUrl: application.href, settings: { AUDIT_DAYS: '90' } })
  owner = new pg.Client({ connectionString: home.url })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await house.close()
  await home.drop()
})

let count = 0
async function addEntries(merchantId: number, daysAgo: number, many = 1): Promise<void> {
  count += 1
  await owner.query(
    `insert into audit_log (merchant_id, id, at, actor_kind, actor, action, subject)
     select $1, 'aud_' || lpad(n::text, 12, '0') || lpad($4::text, 4, '0'),
            now() - make_interval(days => $2) - n * interval '1 second', 'system', 'florin', 'key.created', $2::text
     from generate_series(1, $3) as n`,
    [merchantId, daysAgo, many, count],
  )
}

async function agesOf(merchantId: number): Promise<string[]> {
  const found = await owner.query<{ subject: string }>(
    `select distinct subject from audit_log where merchant_id = $1 and subject ~ '^[0-9]{1,3}$' order by 1`,
    [merchantId],
  )
  return found.rows.map(({ subject }) => subject)
}

async function forget(): Promise<number[]> {
  const job = house.app.jobs.find(({ name }) => name === 'prune audit entries')
  const rounds: number[] = []
  do rounds.push((await job?.run()) ?? -1)
  while ((rounds.at(-1) ?? 0) > 0)
  return rounds
}

test('entries older than AUDIT_DAYS are deleted in small steps, merchant by merchant, and the others stay', async () => {
  const other = await createMerchant(house.db, { name: 'Other' })
  await addEntries(house.merchantId, 91, 600)
  for (const merchantId of [house.merchantId, other, 0])
    for (const days of [1, 89, 91, 400]) await addEntries(merchantId, days)
  assert.deepEqual(await forget(), [504, 102, 0])
  for (const merchantId of [house.merchantId, other, 0])
    assert.deepEqual(await agesOf(merchantId), ['1', '89'], String(merchantId))
  assert.match(house.log(), /"what":"audit entries","count":504,"days":90,"msg":"Deleted old data"/)
})

test('no other code deletes or changes an entry, however old', async () => {
  await addEntries(house.merchantId, 500)
  const statements = [
    `delete from audit_log where merchant_id = ${house.merchantId}`,
    `update audit_log set actor = 'nobody' where merchant_id = ${house.merchantId}`,
    'truncate audit_log',
  ]
  for (const text of statements) {
    const asOwner = await owner.query(text).catch((error: { code: string }) => error.code)
    assert.equal(asOwner, '23001', `${text}: refused by the trigger, to a superuser as well`)
  }
  for (const text of statements.slice(0, 2)) {
    const client = new pg.Client({ connectionString: house.databaseUrl })
    await client.connect()
    await client.query("set florin.forgets_audit = 'on'")
    const asFlorin = await client.query(text).catch((error: { code: string }) => error.code)
    assert.equal(asFlorin, '42501', `${text}: Florin itself has no right to it, whatever it says`)
    await client.end()
  }
  assert.ok((await agesOf(house.merchantId)).includes('500'))
})

test('entries younger than thirty days can’t be deleted, even by the function', async () => {
  await addEntries(house.merchantId, 29)
  await house.db.queryAll([
    sql`select forget_audit_entries(${house.merchantId}, now() + interval '1 year', 10000)`,
  ])
  assert.deepEqual(await agesOf(house.merchantId), ['1', '29'])
  await owner.query('begin')
  await owner.query("set local florin.forgets_audit = 'on'")
  const young = owner.query(`delete from audit_log where merchant_id = ${house.merchantId}`)
  assert.equal(await young.catch((error: { code: string }) => error.code), '23001')
  await owner.query('rollback')
})

test('after the function has run, the same transaction is refused again', async () => {
  await addEntries(0, 500, 2)
  await assert.rejects(
    inTransaction(house.db, async (tx) => {
      await tx.query(sql`select forget_audit_entries(0, now() - interval '100 days', 1)`)
      await tx.query(sql`delete from audit_log where merchant_id = ${0}`)
    }),
    (error) => sqlState(error) === '42501',
  )
  await owner.query('begin')
  await owner.query("select forget_audit_entries(0, now() - interval '100 days', 1)")
  const next = owner.query("delete from audit_log where merchant_id = 0 and at < now() - interval '100 days'")
  assert.equal(await next.catch((error: { code: string }) => error.code), '23001')
  await owner.query('rollback')
})
