import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { startOwner } from '../../../test/support/folder-owner.ts'
import { DataFolderRefused, lockDataFolder } from './data-folder.ts'

test('the first start creates the folder, closed to other users, and records which process runs on it', (t) => {
  const folder = join(temporaryFolder(t), 'nested', 'data')
  const lock = lockDataFolder(folder)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  const before = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as Record<string, unknown>
  assert.equal(before['pid'], process.pid)
  assert.equal(before['base_url'], null)
  lock.announce('http://127.0.0.1:3000')
  const after = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as Record<string, unknown>
  assert.equal(after['base_url'], 'http://127.0.0.1:3000')
  lock.release()
  assert.equal(existsSync(join(folder, 'running.json')), false)
})

test('a second start on the same folder is refused in one line that names the first', async (t) => {
  const folder = join(temporaryFolder(t), 'data')
  const owner = await startOwner('lock', folder)
  t.after(() => owner.process.kill('SIGKILL'))
  assert.throws(
    () => lockDataFolder(folder),
    (error: unknown) =>
      error instanceof DataFolderRefused &&
      error.message ===
        `Florin is already running on ${folder}/ (process ${owner.process.pid}, http://127.0.0.1:3000). ` +
          'Stop it first, or set DATA_DIR to another folder.',
  )
})

test('a folder below the working directory is shown as the operator wrote it', (t) => {
  const home = process.cwd()
  const parent = temporaryFolder(t)
  process.chdir(parent)
  t.after(() => process.chdir(home))
  const lock = lockDataFolder(join(process.cwd(), 'data'))
  t.after(() => lock.release())
  assert.throws(
    () => lockDataFolder(join(process.cwd(), 'data')),
    /^Error: Florin is already running on data\/ \(process/,
  )
})

test('a killed server leaves no lock', async (t) => {
  const folder = join(temporaryFolder(t), 'data')
  const owner = await startOwner('lock', folder)
  owner.process.kill('SIGKILL')
  await once(owner.process, 'exit')
  const lock = lockDataFolder(folder)
  const running = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as Record<string, unknown>
  assert.equal(running['pid'], process.pid)
  lock.release()
})

test('a released folder can be used again', (t) => {
  const folder = temporaryFolder(t)
  lockDataFolder(folder).release()
  lockDataFolder(folder).release()
})

test('an unusable data folder is refused with advice', (t) => {
  const file = join(temporaryFolder(t), 'data')
  writeFileSync(file, '')
  assert.throws(
    () => lockDataFolder(file),
    /can't use the data folder .* or set DATA_DIR to another folder\.$/,
  )
})

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-folder-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
