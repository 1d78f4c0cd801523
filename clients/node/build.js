// `npm pack` runs this: src/*.ts become dist/*.js and dist/*.d.ts, by the TypeScript of the project above.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
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
