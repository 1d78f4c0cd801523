import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { chooseFiles } from './choose-files.ts'
import { longestFirst, readDurations, writeDurations } from './durations.ts'

const root = mkdtempSync(join(tmpdir(), 'florin-choose-'))
after(() => rmSync(root, { recursive: true }))

const texts: Readonly<Record<string, string>> = {
  'src/pay.ts': '',
  'src/pay.test.ts': `import { test } from 'node:test'`,
  'src/pay.late.test.ts': '',
  'src/payout.test.ts': '',
  'src/refund.ts': '',
  'test/flows/pay.test.ts': `import { pay } from '../../src/pay.ts'`,
  'test/flows/other.test.ts': `import { openHouse } from '../support/house.ts'`,
  'faults/every.long.test.ts': `import { pay } from '../src/pay.ts'`,
}
for (const [path, text] of Object.entries(texts)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function choose(...args: string[]): string[] {
  return chooseFiles(root, args).files.map((file) => relative(root, file))
}

test('a full run leaves out the long files, which have their own run', () => {
  assert.deepEqual(choose(), [
    'src/pay.late.test.ts',
    'src/pay.test.ts',
    'src/payout.test.ts',
    'test/flows/other.test.ts',
    'test/flows/pay.test.ts',
  ])
  assert.deepEqual(choose('--long'), ['faults/every.long.test.ts'])
  assert.deepEqual(
    [chooseFiles(root, []).isWhole, chooseFiles(root, ['--long']).isWhole, chooseFiles(root, [root]).isWhole],
    [true, false, false],
  )
})

test('paths choose files and folders, including long ones', () => {
  assert.deepEqual(choose(join(root, 'test'), join(root, 'test/flows/pay.test.ts')), [
    'test/flows/other.test.ts',
    'test/flows/pay.test.ts',
  ])
  assert.deepEqual(choose(join(root, 'faults')), ['faults/every.long.test.ts'])
  assert.equal(chooseFiles(root, ['--name', 'paid', root]).namePattern, 'paid')
})

test('an unknown path or option is refused by name', () => {
  assert.throws(() => choose(join(root, 'nowhere')), /There is no file or folder .*nowhere/)
  assert.throws(() => choose('--fast'), /--fast/)
})

test('the longest files go first, by their last duration or by what they start', () => {
  const store = join(root, 'durations.json')
  assert.deepEqual(readDurations(store), new Map())
  writeDurations(store, new Map([[join(root, 'src/pay.test.ts'), 9_000]]))
  const files = ['src/payout.test.ts', 'test/flows/other.test.ts', 'src/pay.test.ts']
  const ordered = longestFirst(
    files.map((file) => join(root, file)),
    readDurations(store),
  )
  assert.deepEqual(
    ordered.map((file) => relative(root, file)),
    ['src/pay.test.ts', 'test/flows/other.test.ts', 'src/payout.test.ts'],
  )
})

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

test('without a repository, --changed says that it needs one', (t) => {
  if (git('--version').status !== 0) return t.diagnostic('note: no git, so only its absence was tested')
  assert.throws(() => choose('--changed'), /--changed asks git what changed, and git failed/)
})

test('--changed chooses tests that are changed, named after a changed file, or import it', (t) => {
  if (git('--version').status !== 0) return t.diagnostic('note: no git, so --changed was not tried')
  git('init')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'All')
  assert.deepEqual(choose('--changed'), [])

  writeFileSync(join(root, 'src/pay.ts'), 'export {}')
  assert.deepEqual(choose('--changed'), ['src/pay.late.test.ts', 'src/pay.test.ts', 'test/flows/pay.test.ts'])
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-am', 'Pay')
  writeFileSync(join(root, 'src/new.test.ts'), '')
  assert.deepEqual(choose('--changed'), ['src/new.test.ts'])
  assert.deepEqual(choose('--changed=HEAD~1'), [
    'src/new.test.ts',
    'src/pay.late.test.ts',
    'src/pay.test.ts',
    'test/flows/pay.test.ts',
  ])
})
