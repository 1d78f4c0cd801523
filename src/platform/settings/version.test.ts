import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { programVersion, releaseVersion, versionIn } from './version.ts'

const commit = '1759a6f0c2e4b6d8f0a1c3e5b7d9f1a3c5e7b9d1'
const other = '0000000111111111111111111111111111111111'
const onMain = 'ref: refs/heads/main\n'
const packedRefs = `# pack-refs with: peeled fully-peeled sorted\n${other} refs/heads/other/refs/heads/main\n${commit} refs/heads/main\n^${other}\n`

const clones: [string, Record<string, string>, string][] = [
  ['no clone', {}, '4.5.6'],
  ['a branch', { '.git/HEAD': onMain, '.git/refs/heads/main': `${commit}\n` }, '4.5.6+1759a6f'],
  ['a commit or a tag', { '.git/HEAD': `${commit}\n` }, '4.5.6+1759a6f'],
  ['packed refs', { '.git/HEAD': onMain, '.git/packed-refs': packedRefs }, '4.5.6+1759a6f'],
  [
    'a branch that moved since its ref was packed',
    {
      '.git/HEAD': onMain,
      '.git/refs/heads/main': commit,
      '.git/packed-refs': packedRefs.replace('17', '28'),
    },
    '4.5.6+1759a6f',
  ],
  [
    'a worktree',
    {
      '.git': 'gitdir: main.git/worktrees/one\n',
      'main.git/worktrees/one/HEAD': onMain,
      'main.git/worktrees/one/commondir': '../..\n',
      'main.git/refs/heads/main': commit,
    },
    '4.5.6+1759a6f',
  ],
  ['a worktree whose clone is away', { '.git': 'gitdir: /nowhere/at/all\n' }, '4.5.6'],
  ['a clone without a commit', { '.git/HEAD': onMain }, '4.5.6'],
  ['something else', { '.git/HEAD': '<html>' }, '4.5.6'],
]

for (const [what, files, expected] of clones) {
  test(`the version in a folder with ${what}`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'florin-version-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const [name, text] of Object.entries({ 'package.json': '{"version":"4.5.6"}', ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    assert.equal(versionIn(folder), expected)
  })
}

test('this program names its release, and the same version all the time', () => {
  assert.match(programVersion(), /^\d+\.\d+\.\d+(\+[\da-f]{7})?$/)
  assert.equal(programVersion().split('+')[0], releaseVersion())
  assert.equal(programVersion(), programVersion())
})
