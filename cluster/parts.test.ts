import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { allParts, choose, readMinutes, testsIn, UnknownPart } from './parts.ts'
import { skipped, skippedFiles } from './skipped.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every test skipped on a cluster exists', () => {
  for (const { file, tests } of skipped) {
    const text = readFileSync(`${root}${file}`, 'utf8')
    for (const name of tests) assert.ok(text.includes(name), `${file} has no test "${name}"`)
  }
  for (const { file } of skippedFiles) assert.ok(existsSync(`${root}${file}`), `there is no ${file}`)
})

test('every flow runs on a cluster once, or is listed as skipped', () => {
  const run = allParts(root).flatMap(({ files }) => files)
  const named = skippedFiles.map(({ file }) => file)
  const flows = [...run, ...named].filter((file) => file.startsWith('test/flows/'))
  assert.deepEqual(flows.toSorted(), testsIn(root, 'test/flows'))
  for (const file of run) assert.ok(existsSync(`${root}${file}`), `there is no ${file}`)
})

const parts = [
  { name: 'flows', files: ['a.test.ts', 'b.test.ts', 'c.test.ts'] },
  { name: 'stores', files: ['d.test.ts', 'e.test.ts'] },
]

test('parts are chosen by name, and a run continues where another ended', () => {
  assert.deepEqual(choose(parts, { files: [] }), parts)
  assert.deepEqual(choose(parts, { only: ['stores'], files: [] }), parts.slice(1))
  assert.deepEqual(choose(parts, { from: './b.test.ts', files: [] }), [
    { name: 'flows', files: ['b.test.ts', 'c.test.ts'] },
    parts[1],
  ])
  assert.deepEqual(choose(parts, { from: 'e.test.ts', files: [] }), [
    { name: 'stores', files: ['e.test.ts'] },
  ])
  assert.deepEqual(choose(parts, { files: ['x.test.ts'] }), [{ name: 'chosen files', files: ['x.test.ts'] }])
  assert.throws(
    () => choose(parts, { only: ['flow'], files: [] }),
    new UnknownPart('There is no part "flow". The parts are flows, stores.'),
  )
  assert.throws(() => choose(parts, { only: ['flows'], from: 'e.test.ts', files: [] }), UnknownPart)
})

test('what only a cluster can show runs first, and a run takes half an hour unless told otherwise', () => {
  const names = allParts(root).map(({ name }) => name)
  assert.deepEqual(names.slice(0, 4), ['nodes', 'moves', 'backups', 'faults'])
  assert.equal(readMinutes(undefined), 30)
  assert.equal(readMinutes('1.5'), 1.5)
  for (const wrong of ['0', '-1', 'long']) assert.throws(() => readMinutes(wrong), UnknownPart)
})
