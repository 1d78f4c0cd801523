import assert from 'node:assert/strict'
import { test } from 'node:test'
import { file, proveRules, type Samples } from './support/prove-rules.ts'
import * as rules from './support/sql-rules.ts'

const samples: Samples<keyof typeof rules> = {
  tablesHaveOneOwner: {
    keep: [
      file(
        'src/database/migrations/0001_keys.sql',
        'create table keys (id text);\ncreate table if not exists uses ();',
      ),
      file('src/merchants/store.ts', 'sql`select * from keys`; sql`update keys set id = ${1}`'),
      file('src/merchants/use-store.ts', 'const part = sql`join uses on true`'),
      file('src/merchants/list.ts', `throw new Error('Remove it from keys') // delete from keys`),
      file('src/merchants/list.test.ts', 'sql`select * from keys`'),
    ],
    broken: [
      file('src/database/migrations/0001_keys.sql', 'create table keys (id text);\ncreate table uses ();'),
      file('src/merchants/store.ts', 'sql`select * from keys, uses`'),
      file('src/payments/store.ts', 'sql`select * from payments left join keys on true`'),
      file('src/projects/store.ts', 'sql`with one as (delete from uses returning id) select * from one`'),
      file('src/merchants/a.ts', 'sql`insert into keys values (${id})`'),
      file('src/merchants/b.ts', `client.query('update keys set id = 1')`),
    ],
  },
  statementsStandInStores: {
    keep: [
      file('src/payments/store.ts', 'sql`select 1`'),
      file('src/payments/create-store.ts', 'const a = sql`select 1`'),
      file('src/database/migrate.ts', 'sql`select 1`'),
      file('src/payments/pay.test.ts', 'sql`select 1`'),
      file('src/payments/pay.ts', '// sql`select 1`\nconst words = "sql`select 1`"'),
    ],
    broken: [
      file('src/payments/pay.ts', 'await db.query(sql`select 1`)'),
      file('src/health.ts', 'const statement = sql`select 1`'),
    ],
  },
}

proveRules(rules, samples)

test('a table is refused to a second room even when it is named in a store', () => {
  const found = rules.tablesHaveOneOwner(samples.tablesHaveOneOwner.broken)
  assert.ok(found.includes('src/payments/store.ts: names the table keys, which belongs to merchants/'))
  assert.ok(found.includes('src/projects/store.ts: names the table uses, which belongs to merchants/'))
})
