import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { Database } from '../../platform/database/database.ts'
import { makeSealedForms, type SealedForms } from './sealed-form.ts'

const began = Date.parse('2026-11-15T14:00:00Z')
let nowMs = began
let home: TestDatabase
let db: Database
let forms: SealedForms

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  forms = makeSealedForms(db, testSecrets, () => new Date(nowMs))
})
after(async () => {
  await db.close()
  await home.drop()
})

const fields = new Map([
  ['secret_key', 'a secret of the shop'],
  ['amount', '12.50'],
  ['first_name', 'Zoë'],
])

async function seal(of: ReadonlyMap<string, string> = fields): Promise<string> {
  const sealed = await forms.seal(of)
  assert.ok(sealed !== undefined)
  return sealed
}

test('every server of the installation can open a sealed form, and no one else can read it', async () => {
  nowMs = began
  const sealed = await seal()
  assert.match(sealed, /^[\w-]+$/, 'it stands in a page')
  assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /secret|12\.50/)
  assert.notEqual(await seal(), sealed, 'of two forms nobody sees that they are the same')
  const text = JSON.stringify({ at: began, fields: [...fields] })
  const aroundText = Buffer.from(sealed, 'base64url').length - Buffer.byteLength(text)
  assert.equal(aroundText, 12 + 16, 'a server of the release before opens it too')
  const elsewhere = makeSealedForms(db, testSecrets, () => new Date(nowMs))
  assert.deepEqual(await elsewhere.open(sealed), fields)
})

test('a sealed form can be opened for exactly half an hour', async () => {
  nowMs = began
  const sealed = await seal()
  const halfHourMs = 30 * 60_000
  for (const [afterMs, opens] of [
    [0, true],
    [halfHourMs - 1, true],
    [halfHourMs, false],
  ] as const) {
    nowMs = began + afterMs
    assert.deepEqual(await forms.open(sealed), opens ? fields : undefined, `${afterMs} ms`)
  }
})

test('a sealed form that was changed, shortened or lengthened doesn’t open', async () => {
  nowMs = began
  const bytes = Buffer.from(await seal(), 'base64url')
  const open = async (changed: Buffer) => forms.open(changed.toString('base64url'))
  assert.deepEqual(await open(bytes), fields)
  for (const at of [0, 11, 12, 27, 28, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(await open(changed), undefined, `byte ${at}`)
  }
  for (const length of [0, 1, 12, 27, 28, 29, bytes.length - 1])
    assert.equal(await open(bytes.subarray(0, length)), undefined, `${length} bytes`)
  assert.equal(await open(Buffer.concat([bytes, Buffer.from([0])])), undefined)
  assert.equal(await forms.open('no base64 at all'), undefined)
})

test('a form too large for the next post is not sealed, to the byte', async () => {
  nowMs = began
  const bytesMax = 40 * 1024
  const around = Buffer.byteLength(JSON.stringify({ at: began, fields: [['title', '']] }))
  const ofBytes = (bytes: number) => new Map([['title', `é${'x'.repeat(bytes - around - 2)}`]])
  assert.deepEqual(await forms.open(await seal(ofBytes(bytesMax))), ofBytes(bytesMax))
  assert.equal(await forms.seal(ofBytes(bytesMax + 1)), undefined)
})

test('a brief database outage is retried', async () => {
  let isAway = true
  const query: Database['query'] = async (statement) => {
    if (isAway) throw new Error('away')
    return db.query(statement)
  }
  const patient = makeSealedForms({ query } as Database, testSecrets, () => new Date(nowMs))
  await assert.rejects(patient.seal(fields), /away/)
  isAway = false
  assert.deepEqual(await forms.open((await patient.seal(fields)) ?? ''), fields)
})
