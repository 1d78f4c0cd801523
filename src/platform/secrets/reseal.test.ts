import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../database/database.ts'
import { countSealings, resealAll, sealPlain, type SealedRows } from './reseal.ts'
import { readSecretsKey, type SecretsKey } from './secrets-key.ts'
import { keyIdOf, makeSecrets, Unsealable, type Place } from './secrets.ts'

const db = {} as Database

function keyOf(seed: number): SecretsKey {
  return readSecretsKey(Buffer.alloc(32, seed).toString('base64')) ?? assert.fail('no key')
}

const [old, fresh, stranger] = [keyOf(1), keyOf(2), keyOf(3)]
const both = makeSecrets(fresh, [old])

type Row = {
  readonly owner: number
  readonly name: string
  plain: Buffer | null
  sealed: Buffer | null
  /** Somebody else changes it between the read and the write. */
  readonly isTaken?: boolean
}

const placeOf = ({ owner, name }: Row): Place => ({
  table: 'secrets',
  key: `${owner}/${name}`,
  purpose: 'test',
})
const textOf = ({ owner, name }: Row): Buffer => Buffer.from(`secret of ${owner}/${name}`)

function plainRow(owner: number, name: string): Row {
  const row = { owner, name, plain: null, sealed: null }
  return { ...row, plain: textOf(row) }
}

function sealedRow(owner: number, name: string, key: SecretsKey, isTaken = false): Row {
  const row = { owner, name, plain: null, sealed: null, isTaken }
  return { ...row, sealed: makeSecrets(key).seal(placeOf(row), textOf(row)) }
}

/** Rows that tell two owners at a time; `asked`: under which key they are not to be. */
function roomOf(what: string, rows: readonly Row[], asked: unknown[] = []): SealedRows<unknown> {
  const room: SealedRows<Row> = {
    what,
    async findOwners(_db, after, keyId) {
      asked.push([after, keyId])
      const owners = new Set(rows.map(({ owner }) => owner).filter((owner) => owner > after))
      return [...owners].toSorted((one, other) => one - other).slice(0, 2)
    },
    list: async (_db, owner) => rows.filter((row) => row.owner === owner),
    stored: (row) => ({ place: placeOf(row), plain: row.plain, sealed: row.sealed }),
    async replace(_db, row, sealed, owner) {
      assert.equal(owner, row.owner)
      if (row.isTaken) return false
      row.plain = null
      row.sealed = sealed
      return true
    },
  }
  return room
}

/** Each row with the id of its key, and whether it opens to what it was. */
function stateOf(rows: readonly Row[]): unknown[] {
  const all = makeSecrets(fresh, [old, stranger])
  return rows.map((row) => {
    if (row.sealed === null) return [row.name, 'plain']
    const keyId = keyIdOf(row.sealed)
    return [row.name, keyId && all.open(placeOf(row), row.sealed).equals(textOf(row)) ? keyId : 'unreadable']
  })
}

/** Of five owners, so that they come on three pages; owner 0 is the installation. */
const mixed = (): Row[] => [
  plainRow(0, 'a'),
  sealedRow(0, 'b', old),
  sealedRow(1, 'c', fresh),
  sealedRow(2, 'd', stranger),
  sealedRow(3, 'e', old, true),
  { owner: 3, name: 'f', plain: null, sealed: Buffer.from('something else') },
  plainRow(4, 'g'),
]

test('at startup plain secrets are sealed, and sealed ones stay unchanged', async () => {
  const [rows, others, asked] = [mixed(), [plainRow(7, 'h')], [] as unknown[]]
  const before = rows.map(({ sealed }) => sealed)
  assert.equal(await sealPlain(db, both, [roomOf('one', rows, asked), roomOf('other', others)]), 3)
  assert.deepEqual(stateOf(rows), [
    ['a', fresh.id],
    ['b', old.id],
    ['c', fresh.id],
    ['d', stranger.id],
    ['e', old.id],
    ['f', 'unreadable'],
    ['g', fresh.id],
  ])
  assert.deepEqual(
    rows.slice(1, -1).map(({ sealed }) => sealed),
    before.slice(1, -1),
  )
  assert.deepEqual(stateOf(others), [['h', fresh.id]])
  assert.deepEqual(asked, [
    [-1, undefined],
    [1, undefined],
    [3, undefined],
    [4, undefined],
  ])
})

test('a rotation reseals everything except values no key of ours opens and those changed meanwhile', async () => {
  const [rows, asked] = [mixed(), [] as unknown[]]
  const unchanged = rows[2]?.sealed
  assert.equal(await resealAll(db, both, [roomOf('one', rows, asked)]), 3)
  assert.deepEqual(stateOf(rows), [
    ['a', fresh.id],
    ['b', fresh.id],
    ['c', fresh.id],
    ['d', stranger.id],
    ['e', old.id],
    ['f', 'unreadable'],
    ['g', fresh.id],
  ])
  assert.equal(rows[2]?.sealed, unchanged, 'it was under the new key before')
  assert.deepEqual(asked[0], [-1, fresh.id])
  assert.equal(await resealAll(db, both, [roomOf('one', rows)]), 0)
})

test('a tampered value stops a rotation, so that the old key isn’t thrown away', async () => {
  const moved = { ...sealedRow(1, 'a', old), name: 'b' }
  await assert.rejects(resealAll(db, both, [roomOf('one', [moved])]), Unsealable)
})

test('an operator sees how many secrets are under which key, by module', async () => {
  const asked: unknown[] = []
  const found = await countSealings(db, [
    roomOf('ones', [...mixed(), sealedRow(5, 'h', old)], asked),
    roomOf('none', []),
  ])
  assert.deepEqual(found, [
    {
      what: 'ones',
      byKey: new Map<string, number>([
        ['plain', 2],
        [old.id, 3],
        [fresh.id, 1],
        [stranger.id, 1],
        ['unreadable', 1],
      ]),
    },
    { what: 'none', byKey: new Map() },
  ])
  assert.deepEqual(asked[0], [-1, ''])
})
