import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openCompiler } from './compile.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

test('one compiler run separates the bugs that types forbid from those they allow', async (context) => {
  // Within the project, whose packages the compiler has to find.
  mkdirSync(join(root, 'artefacts'), { recursive: true })
  const folder = mkdtempSync(join(root, 'artefacts/mutants-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const plant = (path: string, before: string, replacement: string) => {
    const from = readFileSync(join(root, path), 'utf8').indexOf(before)
    assert.ok(from > 0, `${path} has ${before}`)
    return { path, from, to: from + before.length, replacement }
  }
  const compiles = openCompiler(root, folder)
  const money = 'src/platform/money/money.ts'
  const digits = 'src/platform/money/luhn.ts'
  assert.deepEqual(
    await compiles([
      plant(money, '-minor', '-minor'),
      plant(money, '-minor', 'minor'),
      plant(money, '-minor', '-minr'),
      plant(digits, ' % 10', " % '10'"),
    ]),
    [true, true, false, false],
  )
})
