import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openCompiler } from './compile.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const path = 'src/money/money.ts'

test('a bug that the types forbid is told from one that they allow, and the file stays as it is', async (context) => {
  // Within the project, whose packages the compiler has to find.
  mkdirSync(join(root, 'artefacts'), { recursive: true })
  const folder = mkdtempSync(join(root, 'artefacts/mutants-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const compiles = openCompiler(root, folder)
  const text = readFileSync(join(root, path), 'utf8')
  const from = text.indexOf('-minor')
  const planted = async (replacement: string): Promise<boolean> =>
    compiles({ path, from, to: from + '-minor'.length, replacement })
  assert.ok(from > 0)
  assert.equal(await planted('-minor'), true)
  assert.equal(await planted('minor'), true)
  assert.equal(await planted('-minr'), false)
  assert.equal(readFileSync(join(root, path), 'utf8'), text)
})
