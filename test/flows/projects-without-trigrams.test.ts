import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { adminUrl } from '../support/database.ts'
import { Database } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { createProject } from '../../src/core/projects/create-project.ts'
import { listProjects } from '../../src/core/projects/list-projects.ts'

test('where extensions are forbidden the schema works without them, and the search finds the same', async () => {
  const name = `plain_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: adminUrl() })
  await admin.connect()
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  try {
    // As on many managed databases: this role owns its schemas, but adds no extension.
    await admin.query(`create role ${name} login password 'plain'`)
    await admin.query(`create database ${name} template template0`)
    const owner = new pg.Client({ connectionString: url.href })
    await owner.connect()
    await owner.query(`grant create on schema public to ${name}`)
    await owner.query(`grant create on database ${name} to ${name}`)
    await owner.query(`create function forbid() returns event_trigger language plpgsql as
      $$ begin raise insufficient_privilege; end $$`)
    await owner.query(`create event trigger no_extensions on ddl_command_start
      when tag in ('CREATE EXTENSION') execute function forbid()`)
    await owner.end()
    url.username = name
    url.password = 'plain'
    await migrate(url.href)
    await search(url.href)
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop role if exists ${name}`)
    await admin.end()
  }
})

async function search(url: string): Promise<void> {
  const db = new Database(url, { poolSize: 2 })
  try {
    const indexes = await db.query<{ indexname: string }>({
      text: `select indexname from pg_indexes where tablename = 'projects'`,
      values: [],
      name: undefined,
    })
    assert.ok(!indexes.some((index) => index.indexname === 'projects_search'))
    const merchantId = await createMerchant(db, { name: 'Shop' })
    for (const project of ['Журнал', 'Jahrmarkt 🎪', '100 %'])
      await createProject(db, merchantId, { project })
    for (const [term, found] of [
      ['ЖУР', 'Журнал'],
      ['🎪', 'Jahrmarkt 🎪'],
      ['%', '100 %'],
    ] as const) {
      const request = { search: term, sortBy: 'project', sort: 'asc', perPage: 10, page: 1 } as const
      const { projects } = await listProjects(db, merchantId, request)
      assert.deepEqual(
        projects.map((project) => project.name),
        [found],
      )
    }
  } finally {
    await db.close()
  }
}
