import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableNamesOf } from './table-names.ts'

function namesOf(...texts: string[]): string[] {
  return tableNamesOf(texts.map((text, at) => ({ name: `${at}`, number: at, text, checksum: '' })))
}

for (const [what, texts, names] of [
  ['are created', ['create table a (b int);\ncreate table if not exists c ()'], ['a', 'c']],
  ['stand in another schema', ['create table books.a ()'], ['books.a']],
  ['were dropped later', ['create table a (); create table b ()', 'drop table if exists a'], ['b']],
  [
    'were renamed',
    ['create table a (); create table s.b ()', 'alter table a rename to c; alter table s.b rename to d'],
    ['c', 's.d'],
  ],
  ['were renamed if they existed', ['create table a ()', 'alter table if exists a rename to c'], ['c']],
  ['are in a comment', ['-- create table a ()\ncreate table b ()'], ['b']],
  ['only changed', ['create table a ()', 'alter table a add column b int'], ['a']],
  ['list the migrations', ['create table schema_migrations (); create table a ()'], ['a']],
] as const)
  test(`of tables that ${what}, ours are ${names.join(' and ')}`, () => {
    assert.deepEqual(namesOf(...texts), names)
  })
