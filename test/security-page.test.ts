import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| threat'))

test('every row of the threat table names a test, and each of them exists', () => {
  assert.ok(rows.length >= 20)
  for (const row of rows) {
    const tests = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = '']) => path)
    assert.notEqual(tests.length, 0, row)
    for (const path of tests) assert.ok(existsSync(new URL(path, root)), path)
  }
})

test('every test about a threat is named in a row', () => {
  const files = readdirSync(new URL('test/flows/', root)).filter((name) => name.startsWith('threats-'))
  assert.deepEqual(
    files.filter((name) => !rows.some((row) => row.includes(`test/flows/${name}`))),
    [],
  )
})
