import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

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

test('every direct dependency is written down, and nothing else is', () => {
  assert.deepEqual(
    listed()
      .map(({ name }) => name)
      .toSorted(),
    direct.toSorted(),
  )
})

test('licences and install scripts are the ones that were written down', () => {
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

test('no package that comes with them runs anything when it is installed, unless it was written down', () => {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const running = Object.entries(lock.packages)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  const allowed = listed()
    .filter(({ scripts }) => scripts !== 'none')
    .map(({ name }) => name)
  assert.deepEqual(
    [...new Set(running)].filter((name) => !allowed.includes(name)),
    [],
  )
})
