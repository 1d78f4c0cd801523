import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { skipped } from './skipped.ts'

const root = new URL('..', import.meta.url)

test('every test that is left out on a cluster is one that there is', () => {
  for (const { file, tests } of skipped) {
    const text = readFileSync(fileURLToPath(new URL(file, root)), 'utf8')
    for (const name of tests) assert.ok(text.includes(name), `${file} has no test "${name}"`)
  }
})
