import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { placements, spreadColumn, spreadTables } from './placement.ts'

const schema = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
const tables = new Map(
  schema
    .split(/^create table (?=[\w.]+ \($)/m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf(' ')), part] as const),
)
const file = 'src/platform/database/spread/placement.ts'

test('every table has a place in the cluster', () => {
  const missing = [...tables].filter(([name]) => placements[name] === undefined)
  const lines = missing.map(([name, body]) => {
    const place = /^ {2}merchant_id /m.test(body) ? 'spread' : 'coordinator'
    return `${/\W/.test(name) ? `'${name}'` : name}: '${place}',`
  })
  assert.deepEqual(lines, [], `add to placements in ${file}:\n  ${lines.join('\n  ')}`)
})

test('no dropped table is still listed', () => {
  const gone = Object.keys(placements).filter((name) => !tables.has(name))
  assert.deepEqual(gone, [], `take these out of placements in ${file}`)
})

test('tables with a merchant are distributed by it, others are not', () => {
  for (const [name, body] of tables) {
    const hasMerchant = name === 'merchants' || /^ {2}merchant_id integer not null,/m.test(body)
    const expected = hasMerchant ? 'spread' : 'coordinator'
    assert.equal(placements[name], expected, `${name} should be '${expected}' in ${file}`)
  }
})

test('every key of a distributed table starts with the merchant, as Citus requires', () => {
  for (const name of spreadTables) {
    const primary = /PRIMARY KEY \((\w+)/.exec(tables.get(name) ?? '')?.[1]
    assert.equal(primary, spreadColumn(name), `the primary key of ${name}`)
  }
})
