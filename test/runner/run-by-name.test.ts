import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runByName } from './run-by-name.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-named-'))
after(() => rmSync(folder, { recursive: true }))

test('only tests whose names match run, and one that fails fails the run', async () => {
  const file = join(folder, 'named.test.mjs')
  writeFileSync(
    file,
    `import { test } from 'node:test'
    test('paid once', () => {})
    test('refunded', () => { throw new Error('ran') })`,
  )
  assert.equal(await runByName([file], 'once'), true)
  assert.equal(await runByName([file, file], 'refunded'), false)
})
