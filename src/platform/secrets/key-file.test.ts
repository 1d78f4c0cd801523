import assert from 'node:assert/strict'
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { addKeyToFile, createKeyFile, readKeyFile } from './key-file.ts'
import { drawSecretsKey, readSecretsKey } from './secrets-key.ts'
import { SecretsRefused } from './secrets-refused.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-key-'))
})
after(() => rmSync(folder, { recursive: true }))

test('a key file is created once, for its owner only, and never overwritten', () => {
  const file = join(folder, 'once.key')
  assert.equal(readKeyFile(file), undefined)
  createKeyFile(file)
  const text = readFileSync(file, 'utf8')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  createKeyFile(file)
  assert.equal(readFileSync(file, 'utf8'), text)
  assert.equal(readKeyFile(file)?.length, 1)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('once.key.')),
    [],
  )
})

test('a new key is put before the existing ones, which stay', () => {
  const file = join(folder, 'rotated.key')
  createKeyFile(file)
  const [old] = readKeyFile(file) ?? []
  addKeyToFile(file)
  addKeyToFile(file)
  const keys = (readKeyFile(file) ?? []).map(({ id }) => id)
  assert.equal(new Set(keys).size, 3)
  assert.equal(keys[2], old?.id)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('the file’s comments are rewritten once, and an operator’s are removed', () => {
  const file = join(folder, 'remarks.key')
  const old = drawSecretsKey()
  writeFileSync(file, `# from the safe\n\n${old}\n`)
  addKeyToFile(file)
  const lines = readFileSync(file, 'utf8').split('\n')
  assert.deepEqual(
    lines.map((line) => (line.startsWith('#') ? '#' : line === old ? 'old' : line === '' ? '' : 'new')),
    ['#', '#', 'new', 'old', ''],
  )
})

const watched = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'closeSync',
  'linkSync',
  'renameSync',
  'rmSync',
] as const

/** What is asked of the disk, in order, until the test ends. */
function watchDisk(t: TestContext): string[] {
  const asked: string[] = []
  for (const name of watched) {
    const ask = fs[name] as (...args: unknown[]) => unknown
    t.mock.method(fs, name, (...args: unknown[]) => {
      asked.push(name)
      return ask(...args)
    })
  }
  reloadDisk(t)
  return asked
}

/** Lets those who import single functions see what stands in their place, until the test ends. */
function reloadDisk(t: TestContext): void {
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
}

const written = ['openSync', 'writeSync', 'fsyncSync', 'closeSync']
const folderWritten = ['openSync', 'fsyncSync', 'closeSync']

test('a key and its name are synced to disk before anything is sealed under it', (t) => {
  const file = join(folder, 'disk.key')
  const asked = watchDisk(t)
  createKeyFile(file)
  assert.deepEqual(asked.splice(0), [...written, 'linkSync', ...folderWritten, 'rmSync'])
  addKeyToFile(file)
  assert.deepEqual(asked, [...written, 'renameSync', ...folderWritten])
})

test('a full disk is reported, and no partial file is left', (t) => {
  const file = join(folder, 'full.key')
  t.mock.method(fs, 'writeSync', () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
  reloadDisk(t)
  assert.throws(() => createKeyFile(file), /can't be written \(ENOSPC\)/)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('full.key')),
    [],
  )
})

test('an operator may edit the file: spaces, empty lines and comments are fine', () => {
  const file = join(folder, 'written.key')
  const [one, two] = [drawSecretsKey(), drawSecretsKey()]
  writeFileSync(file, `# from the safe\r\n\r\n  ${one}\r\n${two}`)
  assert.deepEqual(
    readKeyFile(file)?.map(({ id }) => id),
    [one, two].map((key) => readSecretsKey(key)?.id),
  )
})

test('a file without a key, or with an invalid line, is refused and left unchanged', () => {
  for (const text of ['', '# nothing\n', 'password\n', `${drawSecretsKey()}\nhalf a ke`]) {
    const file = join(folder, 'broken.key')
    writeFileSync(file, text)
    assert.throws(() => readKeyFile(file), SecretsRefused)
    createKeyFile(file)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
})

test('an unwritable folder is reported with an alternative', () => {
  assert.throws(
    () => createKeyFile(join(folder, 'away', 'secrets.key')),
    /can't be written \(ENOENT\).*SECRETS_KEY/,
  )
})
