import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { makeRunFolder } from './run-folder.js'

const parent = mkdtempSync(join(tmpdir(), 'florin-run-folder-'))
after(() => rmSync(parent, { recursive: true }))

function place(name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}

test('a run gets its folder in the first place with room, and leaves nothing else there', () => {
  const [first, last] = [place('first'), place('last')]
  const folder = makeRunFolder([join(parent, 'nowhere'), first, last], 1)
  assert.equal(dirname(folder), first)
  assert.deepEqual([readdirSync(first).length, readdirSync(last)], [1, []])
})

test('without room anywhere a run gets its folder in the last place', () => {
  const [full, last] = [place('full'), place('after full')]
  assert.equal(dirname(makeRunFolder([full, last], Number.MAX_SAFE_INTEGER)), last)
  assert.deepEqual(readdirSync(full), [])
})

test('other users can reach the tests’ temporary folder, and see nothing on the way', () => {
  const folder = makeRunFolder([place('shared')], 1)
  assert.equal(statSync(folder).mode & 0o777, 0o711)
  assert.equal(statSync(join(folder, 'tmp')).mode & 0o1777, 0o1777)
})

test('folders of killed runs are removed, those of running ones are kept', () => {
  const shared = place('left')
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const [dead, living] = [`florin-tests-${ended}-a`, `florin-tests-${process.ppid}-b`]
  for (const name of [dead, living, 'florin-tests-playground-c', 'of others'])
    mkdirSync(join(shared, name, 'data'), { recursive: true })
  makeRunFolder([shared], 1)
  assert.deepEqual(
    [dead, living, 'florin-tests-playground-c', 'of others'].map((name) => existsSync(join(shared, name))),
    [false, true, true, true],
  )
})
