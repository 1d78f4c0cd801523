import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { points, type Point } from './points.ts'

// Fail-points are put in from outside while a module is loaded. Nothing of them is in what a merchant runs.

const root = fileURLToPath(new URL('../', import.meta.url))
const shipped = ['src', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(folder, file)),
)

// How florin.ts finds its own files: a hook that resolves and loads nothing.
const resolving = /import { registerHooks } from 'node:module'|registerHooks\({\s+resolve\(/g

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8').replaceAll(resolving, '')
}

test('nothing we ship mentions the fault programs, a fail-point or a way to load one', () => {
  const words = /faults\/|fail-?points?\b|florinFault|registerHooks|--import\b|--require\b|NODE_OPTIONS/i
  const naming = shipped
    .filter((file) => /\.(ts|js|sql)$|florin$/.test(file))
    // The launcher's comment shows how a program of ours is run.
    .filter((file) => file !== join('bin', 'run.js') && words.test(textOf(file)))
  assert.deepEqual(naming, [])
})

test('the launcher starts the server with its program and no preloaded module', () => {
  const launcher = readFileSync(join(root, 'bin', 'florin'), 'utf8')
  assert.match(launcher, /spawn\(runtime, \[PROGRAM, \.\.\.process\.argv\.slice\(2\)\]/)
})

test('every fail-point’s function exists, so a fault that can no longer happen doesn’t count as survived', () => {
  for (const [name, { file, after, made }] of Object.entries<Point>(points)) {
    const source = readFileSync(join(root, 'src', file), 'utf8')
    const opening = made === undefined ? `export async function ${after}(` : `export function ${made}(`
    assert.ok(source.includes(opening), `${name}: ${file} has no ${made ?? after}`)
  }
})
