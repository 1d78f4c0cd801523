import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

// `npm ci` refuses a lockfile that lacks anything that a package asks for, be it the linter's build for a system that
// nobody here has: then images can't be built. So does `npm install` on the systems whose builds are missing, silently.

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

const root = new URL('../', import.meta.url)
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

for (const folder of ['', 'bin/older-node/']) {
  const where = `${folder}package-lock.json`
  const { packages } = read(where) as { packages: Record<string, Locked> }

  test(`${where} matches package.json`, () => {
    const asked = read(`${folder}package.json`) as Locked
    const { dependencies, devDependencies, optionalDependencies } = packages[''] ?? {}
    assert.deepEqual(
      [dependencies, devDependencies, optionalDependencies],
      [asked.dependencies, asked.devDependencies, asked.optionalDependencies],
    )
  })

  test(`${where} holds every dependency of its packages, on every system`, () => {
    const missing = Object.entries(packages).flatMap(([path, entry]) => {
      const asked = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies }
      return Object.entries(asked)
        .filter(([name, wanted]) => !fits(find(packages, path, name), wanted))
        .map(([name, wanted]) => `${path || 'package.json'} asks for ${name} ${wanted}`)
    })
    assert.deepEqual(missing, [])
  })

  test(`${where} pins every package by its checksum`, () => {
    const loose = Object.entries(packages).filter(([path, { integrity = '' }]) => {
      return path !== '' && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)
    })
    assert.deepEqual(
      loose.map(([path]) => path),
      [],
    )
  })
}

/** As Node looks for it: beside what is nested, then one folder further out. */
function find(packages: Record<string, Locked>, from: string, name: string): Locked | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]
    if (found !== undefined || folder === '') return found
  }
}

/** Builds for one system are asked for by exact version; of a range npm itself has seen to it when it wrote the file. */
function fits(found: Locked | undefined, wanted: string): boolean {
  if (found === undefined) return false
  return !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted) || found.version === wanted
}
