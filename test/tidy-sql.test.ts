import assert from 'node:assert/strict'
import { test } from 'node:test'
import { file, proveRules, type Samples } from './support/prove-rules.ts'
import * as rules from './support/sql-rules.ts'

const tables = file(
  'src/database/migrations/0001_tables.sql',
  `create table merchants (id integer primary key);
create table payments (
  merchant_id integer not null references merchants (id),
  number text,
  primary key (merchant_id, number)
) with (fillfactor = 85);
create table if not exists attempts (merchant_id integer, number text);
create table test_network.charges (merchant_id integer);
create table installation_secrets (name text primary key);`,
)
/** Each alone breaks the rule that a statement names one merchant. */
const ofSeveralMerchants = [
  'sql`select * from payments`',
  'sql`select * from payments where number = ${number}`',
  'sql`select * from payments where merchant_id = any(${ids})`',
  'sql`select * from payments where merchant_id = ${sql`any(${ids})`}`',
  'sql`select * from payments where merchant_id in (${one}, ${other})`',
  'sql`select * from payments where merchant_id = ${one} or merchant_id = ${other}`',
  'sql`select * from payments where merchant_id = ${one} or true`',
  'sql`select * from payments where merchant_id <> ${one}`',
  'sql`select * from payments where merchant_id >= ${one} and merchant_id = ${other}`',
  'sql`select * from payments where (merchant_id, number) in (select * from unnest(${ids}, ${numbers}))`',
  'sql`select * from payments where (merchant_id, number) = (${one}, ${number})`',
  'sql`select * from payments join unnest(${ids}) as asked (merchant_id) using (merchant_id)`',
  'sql`update payments set number = 1 from asked where payments.merchant_id = asked.merchant_id`',
  'sql`update payments set number = 1 from asked where payments.merchant_id = ${one} and asked.merchant_id = payments.merchant_id`',
  'sql`select * from payments join attempts on attempts.merchant_id = payments.merchant_id`',
  'sql`select * from payments as one, attempts where one.merchant_id = ${one}`',
  'sql`select * from payments where merchant_id = ${one} and exists (select from attempts)`',
  'sql`select * from payments where exists (select from payments where payments.merchant_id = ${one})`',
  'sql`delete from payments`',
  'sql`with gone as (delete from attempts where number = ${number}) select 1`',
  'sql`truncate payments`',
  'sql`insert into payments (number) values (${number})`',
  'sql`insert into payments values (${one}, ${number})`',
  'sql`insert into payments (merchant_id, number) select ${one}, number from attempts`',
  'sql`select * from test_network.charges`',
  'sql`select * from merchants`',
  'sql`select * from merchants where name = ${name}`',
  'const a = sql`merchant_id = ${one}`\nconst b = sql`select * from payments where ${a}`',
  'const rules = [sql`mode = ${mode}`]; sql`select * from payments where ${join(rules)}`',
  '// merchant_id = ${one}\nsql`select * from payments -- where merchant_id = ${one}\n`',
].map((text) => file('src/refunds/store.ts', text))

const ofLooks = [
  'sql`select merchant_id from payments for update`',
  'sql`select distinct merchant_id, number from payments`',
  'sql`with one as (select * from payments) select * from one`',
  'sql`update payments set number = 1 returning merchant_id`',
].map((text) => file('src/refunds/due-look-store.ts', text))

const newer = 'src/database/migrations/0012_newer.sql'
const refusedByClusters = [
  "alter table payments add column state text check (state in ('a', 'b'));",
  'alter table payments add column project text references projects (id);',
  'alter table payments add state text unique;',
  'alter table payments add column at timestamptz not null default now() constraint later check (at > now());',
  'alter table payments add column state text, add constraint payments_state_known check (state <> 1);',
  'alter table payments add check (amount > 0);',
  'alter table payments add unique (merchant_id, number);',
  'alter table payments add foreign key (merchant_id) references merchants (id);',
  'alter table payments add column id bigint generated always as identity;',
  'create table refunds (id text primary key);',
  'create table refunds (merchant_id integer, id text, primary key (id, merchant_id));',
  'create table refunds (merchant_id integer, id text);',
  'create table refunds (merchant_id integer, id text unique, primary key (merchant_id, id));',
  'create table refunds (merchant_id integer, id text, primary key (merchant_id, id), unique (id));',
  'create table refunds (merchant_id integer, id text references payments (number), primary key (merchant_id, id));',
  'create table refunds (merchant_id integer, n text, primary key (merchant_id, n), foreign key (n) references payments (n));',
  'alter table refunds add constraint refunds_n foreign key (n) references payments (n);',
  'alter table refunds add constraint refunds_once unique (n);',
  'create unique index refunds_once on refunds (id);',
  'create unique index refunds_once on refunds (id) where merchant_id > 1;',
].map((text) => file(newer, text))

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
  statementsNameOneMerchant: {
    keep: [
      tables,
      file(
        'src/refunds/store.ts',
        [
          'sql`select * from payments where merchant_id = ${one} and number = any(${numbers})`',
          'sql`select * from payments join attempts on attempts.merchant_id = payments.merchant_id where payments.merchant_id = ${one}`',
          'sql`update payments as one set number = asked.number from unnest(${a}) as asked (number) where one.merchant_id = ${one}`',
          'sql`insert into payments (merchant_id, number) values (${one}, ${number}) on conflict do nothing`',
          'sql`insert into attempts as a (merchant_id, number) select ${one}, number from json_to_recordset(${rows}) as a (number text)`',
          'sql`insert into test_network.charges (merchant_id) values (${one})`',
          'sql`select * from merchants where id = ${one}`',
          'sql`with paid as (select number from payments where merchant_id = ${one}) select * from paid`',
          'sql`select (select count(*) from attempts where merchant_id = ${one}) from payments where merchant_id = ${one}`',
          'sql`select secret from installation_secrets`',
          'const rules = [sql`merchant_id = ${one}`]; sql`select * from payments where ${join(rules)}`',
          'const columns = sql`number, state`',
        ].join('\n'),
      ),
      file(
        'src/refunds/due-look-store.ts',
        'sql`with recursive found as (select merchant_id, number from payments limit 1) select merchant_id from found`',
      ),
      file('src/payments/pay.ts', 'sql`select * from payments`'),
    ],
    broken: [tables, ...ofSeveralMerchants, ...ofLooks],
  },
  migrationsSuitACluster: {
    keep: [
      file('src/database/migrations/0011_older.sql', 'create table refunds (id text primary key);'),
      file(
        newer,
        `-- create table refunds (id text);
alter table payments add column language text collate "C" not null default 'en';
alter table payments add constraint payments_language_known check (language in ('en', 'fr'));
alter table payments add constraint payments_once unique (merchant_id, language);
alter table payments drop column title, add column heading text;
create table refunds (
  merchant_id integer not null references merchants (id),
  id text not null check (id <> ''),
  number text not null,
  constraint refunds_pkey primary key (merchant_id, id),
  unique (merchant_id, number, id),
  foreign key (merchant_id, number) references payments (merchant_id, number)
);
create unique index refunds_one_open on refunds (merchant_id, lower(number)) where id > '';
create index refunds_due on refunds (number);
create table installation_secrets (name text primary key);`,
      ),
    ],
    broken: refusedByClusters,
  },
}

proveRules(rules, samples)

test('a table is refused to a second room even when it is named in a store', () => {
  const found = rules.tablesHaveOneOwner(samples.tablesHaveOneOwner.broken)
  assert.ok(found.includes('src/payments/store.ts: names the table keys, which belongs to merchants/'))
  assert.ok(found.includes('src/projects/store.ts: names the table uses, which belongs to merchants/'))
})

for (const { what, rule, broken } of [
  {
    what: 'of several merchants',
    rule: rules.statementsNameOneMerchant,
    broken: [...ofSeveralMerchants, ...ofLooks],
  },
  { what: 'refused by clusters', rule: rules.migrationsSuitACluster, broken: refusedByClusters },
]) {
  test(`each sample is found on its own: ${what}`, () => {
    const missed = broken.filter((sample) => rule([tables, sample]).length === 0)
    assert.deepEqual(
      missed.map(({ text }) => text),
      [],
    )
  })
}
