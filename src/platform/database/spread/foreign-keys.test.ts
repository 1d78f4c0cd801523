import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase } from '../../../../test/support/empty-database.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { readMigrations } from '../migrate.ts'
import { takeForeignKeys } from './foreign-keys.ts'

// A migration's foreign keys, added after its tables: what comes out has to be what PostgreSQL makes of the file itself.

let whole: TestDatabase
let apart: TestDatabase
before(async () => {
  whole = await createTestDatabase()
  apart = await createEmptyDatabase()
})
after(async () => {
  await whole.drop()
  await apart.drop()
})

async function foreignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as key
     from pg_constraint where contype = 'f' order by 1`,
  )
  return rows.map(({ key }) => key)
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

test('all migrations create the same foreign keys when added after the tables', async () => {
  const found = await connected(apart.url, async (client) => {
    for (const { text } of readMigrations()) {
      const { rest, foreignKeys: taken } = takeForeignKeys(text)
      for (const statement of rest) await client.query(statement)
      assert.deepEqual(
        rest.filter((statement) => /^\s*[^-]*\breferences [a-z]/m.test(statement)),
        [],
      )
      for (const statement of taken) await client.query(statement)
    }
    return foreignKeys(client)
  })
  assert.deepEqual(found, await connected(whole.url, foreignKeys))
  assert.ok(found.length > 20)
})

test('names, actions, strings, comments and function bodies are unchanged', () => {
  const text = `
    -- references nobody (id);
    create table notes (
      merchant_id integer not null references merchants (id) on delete cascade, -- references x (y)
      kind text default 'a, references b (c);' check (kind in ('x', 'y')),
      -- of whom
      person_id text constraint whose references people (id),
      constraint of_payment foreign key (merchant_id, number) references payments (merchant_id, number)
    );
    create function one() returns text language sql as $$ select 'references t (a);'; $$;
    alter table notes add constraint later foreign key (a) references b (c);`
  const { rest, foreignKeys: taken } = takeForeignKeys(text.replaceAll(/^ {4}/gm, ''))
  assert.deepEqual(taken, [
    'alter table notes add constraint later foreign key (a) references b (c);',
    'alter table notes add constraint notes_merchant_id_fkey foreign key (merchant_id) references merchants (id) on delete cascade;',
    'alter table notes add constraint whose foreign key (person_id) references people (id);',
    'alter table notes add constraint of_payment foreign key (merchant_id, number) references payments (merchant_id, number);',
  ])
  assert.equal(rest.length, 2)
  assert.match(rest[0] ?? '', /default 'a, references b \(c\);' check \(kind in \('x', 'y'\)\)/)
  assert.match(rest[1] ?? '', /select 'references t \(a\);'; \$\$$/)
})
