// `npm pack` runs this: src/*.ts become dist/*.js and dist/*.d.ts, by the TypeScript of the project above.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const compiler = join(here, '../../node_modules/typescript/bin/tsc')

rmSync(join(here, 'dist'), { recursive: true, force: true })
// Comments are for editors, which read the declarations.
for (const what of [['--declaration', '--emitDeclarationOnly'], ['--removeComments']])
  execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), ...what], {
    stdio: 'inherit',
  })

// Tabs instead of four spaces: a tenth of the package is indentation.
for (const name of readdirSync(join(here, 'dist'))) {
  const file = join(here, 'dist', name)
  const text = readFileSync(file, 'utf8')
  const indented = text.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
  writeFileSync(file, name.endsWith('.d.ts') ? shorten(indented) : indented)
}

/**
 * One Readonly<…> for a type instead of a word for each of its fields, no semicolons, and no sentence that a name
 * ending in _minor or the README says already: another twentieth.
 * @param {string} declarations
 */
function shorten(declarations) {
  return declarations
    .replaceAll(
      /^export type (\w+) = \{\n([^]*?)^\};$/gm,
      (_, /** @type {string} */ type, /** @type {string} */ fields) => {
        const isAll = fields.match(/^\t\w/gm)?.length === fields.match(/^\treadonly /gm)?.length
        return isAll
          ? `export type ${type} = Readonly<{\n${fields.replaceAll(/^\treadonly /gm, '\t')}}>`
          : `export type ${type} = {\n${fields}}`
      },
    )
    .replaceAll(/;$/gm, '')
    .replaceAll(
      /^\t+\/\*\* (The same in the currency's smallest unit|More values may be added)\. \*\/\n/gm,
      '',
    )
    .replaceAll(' More values may be added. */', ' */')
}
