import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `npm run medusa-package`: writes the package that a Medusa installs, with the TypeScript client inside: it needs nothing besides Medusa.

const here = fileURLToPath(new URL('.', import.meta.url))
const client = fileURLToPath(new URL('../../clients/node/src/', import.meta.url))
const artefacts = fileURLToPath(new URL('../../artefacts/', import.meta.url))

export type PackageFile = { readonly name: string; readonly text: string }

export function packageFiles(): readonly PackageFile[] {
  return [
    ...['package.json', 'README.md'].map((name) => ({ name, text: readFileSync(join(here, name), 'utf8') })),
    ...scriptsIn(join(here, 'src'), 'dist'),
    ...scriptsIn(client, 'dist/client'),
  ]
}

function scriptsIn(folder: string, to: string): PackageFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => ({
      name: `${to}/${name.replace(/\.ts$/, '.js')}`,
      text: toJavaScript(readFileSync(join(folder, name), 'utf8')),
    }))
}

/** Types become spaces, so that lines stay where they are. */
function toJavaScript(text: string): string {
  return stripTypeScriptTypes(text)
    .replaceAll('../../../clients/node/src/', './client/')
    .replaceAll(/ from '(\.[\w./-]+)\.ts'/g, " from '$1.js'")
}

export function writePackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const { name, text } of packageFiles()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

if (import.meta.main) {
  const folder = join(artefacts, 'florin-medusa')
  writePackage(folder)
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', artefacts, folder], {
    encoding: 'utf8',
  })
  if (packed.status !== 0) throw new Error(packed.stderr)
  process.stdout.write(`${join(artefacts, packed.stdout.trim())}\n`)
}
