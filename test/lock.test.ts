import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { takeLock } from '../bin/lock.js'

const never = (): never => assert.fail('nobody has it')

test('only one process holds the lock at a time, and nothing is left behind', async (t) => {
  const path = lockPath(t)
  const release = await takeLock(path, never)
  const waits = Promise.withResolvers<void>()
  let had = false
  const next = takeLock(path, () => waits.resolve()).then((give) => {
    had = true
    return give
  })
  await waits.promise
  assert.equal(had, false)
  release()
  const giveBack = await next
  giveBack()
  assert.equal(existsSync(path), false)
  assert.deepEqual(readdirSync(join(path, '..')), [])
})

test('a dead owner doesn’t block', async (t) => {
  const path = lockPath(t)
  const { pid } = spawnSync(process.execPath, ['--version'])
  leave(path, String(pid))
  const release = await takeLock(path, never)
  release()
  assert.equal(existsSync(path), false)
})

const startsAreTold = { skip: existsSync('/proc/self/stat') ? false : 'this system does not tell starts' }

test('an owner whose process id was reused doesn’t block', startsAreTold, async (t) => {
  const path = lockPath(t)
  leave(path, `${process.pid}-1`)
  const release = await takeLock(path, never)
  release()
})

test('another Florin’s leftovers in the lock’s folder don’t block', async (t) => {
  const path = lockPath(t)
  leave(path, 'pid')
  const release = await takeLock(path, never)
  release()
})

test('a lock in an unwritable folder is an error, not a wait', async (t) => {
  await assert.rejects(takeLock(join(lockPath(t), 'nowhere', 'lock'), never), { code: 'ENOENT' })
})

function leave(path: string, owner: string): void {
  mkdirSync(path)
  writeFileSync(join(path, owner), '')
}

function lockPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-lock-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'lock')
}
