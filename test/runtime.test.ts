import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { findRuntime } from '../bin/runtime.js'

// Which Node runs Florin. From version 25 on it needs libatomic, and slim machines lack that.

const { optionalDependencies } = createRequire(import.meta.url)('../bin/older-node/package.json') as {
  optionalDependencies: Record<string, string>
}
const name = `node-linux-${process.arch}`
const older = `.florin-node-${optionalDependencies[name]}`
const lacking = 'echo "node: error while loading shared libraries: libatomic.so.1" >&2; exit 127'
const onLinux = {
  skip: name in optionalDependencies && process.platform === 'linux' ? false : 'for Linux only',
}

test('npm’s own Node is used where it starts, whatever the current one is', onLinux, async (t) => {
  const modules = temporaryFolder(t)
  const brought = put(join(modules, name), 'exit 0')
  for (const node of ['20.20.2', '26.10.0']) assert.equal(await findRuntime(modules, thisNode(node)), brought)
})

test('where npm’s Node doesn’t start, the current one is used if it is new enough', onLinux, async (t) => {
  const modules = temporaryFolder(t)
  put(join(modules, name), lacking)
  put(join(modules, older, 'node_modules', name), 'exit 0')
  for (const node of ['24.15.0', '26.0.0']) assert.equal(await findRuntime(modules, thisNode(node)), 'this')
})

test('where the current Node is too old, the older downloaded one is used', onLinux, async (t) => {
  const modules = temporaryFolder(t)
  put(join(modules, name), lacking)
  const fetched = put(join(modules, older, 'node_modules', name), 'exit 0')
  for (const node of ['20.20.2', '24.14.9']) assert.equal(await findRuntime(modules, thisNode(node)), fetched)
})

test('where no Node starts, one sentence says what is missing and what to install', onLinux, async (t) => {
  const modules = temporaryFolder(t)
  put(join(modules, name), lacking)
  put(join(modules, older, 'node_modules', name), lacking)
  await assert.rejects(
    findRuntime(modules, thisNode('20.20.2')),
    /does not start here \(.*libatomic\.so\.1\), and this is Node 20\.20\.2\. Install .*libatomic1/,
  )
})

test('without npm’s Node, the sentence asks for a newer Node', async (t) => {
  await assert.rejects(
    findRuntime(temporaryFolder(t), thisNode('22.1.0')),
    /this is Node 22\.1\.0\. Install a newer Node/,
  )
})

function thisNode(node: string): { execPath: string; versions: { node: string } } {
  return { execPath: 'this', versions: { node } }
}

function put(folder: string, script: string): string {
  const path = join(folder, 'bin', 'node')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-runtime-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
