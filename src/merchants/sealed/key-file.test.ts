import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { addKeyToFile, createKeyFile, readKeyFile } from './key-file.ts'
import { drawSecretsKey, readSecretsKey } from './secrets-key.ts'
import { SecretsRefused } from './secrets-refused.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-key-'))
})
after(() => rmSync(folder, { recursive: true }))

test('a key file is made once, for its owner alone, and never written over', () => {
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

test('a new key stands in front of those before it, which stay', () => {
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

test('an operator may write the file: spaces, empty lines and remarks do no harm', () => {
  const file = join(folder, 'written.key')
  const [one, two] = [drawSecretsKey(), drawSecretsKey()]
  writeFileSync(file, `# from the safe\r\n\r\n  ${one}\r\n${two}`)
  assert.deepEqual(
    readKeyFile(file)?.map(({ id }) => id),
    [one, two].map((key) => readSecretsKey(key)?.id),
  )
})

test('a file without a key, or with a line that is none, is refused and left as it is', () => {
  for (const text of ['', '# nothing\n', 'password\n', `${drawSecretsKey()}\nhalf a ke`]) {
    const file = join(folder, 'broken.key')
    writeFileSync(file, text)
    assert.throws(() => readKeyFile(file), SecretsRefused)
    createKeyFile(file)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
})

test('a folder that can not be written is told with what to do instead', () => {
  assert.throws(
    () => createKeyFile(join(folder, 'away', 'secrets.key')),
    /can't be written \(ENOENT\).*SECRETS_KEY/,
  )
})
