import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { patience } from './patience.ts'
import { testSecretsKey } from './secrets.ts'

// `florin …` as a person runs it: a process of its own.

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))
const launcher = fileURLToPath(new URL('../../bin/florin', import.meta.url))

export async function runFlorin(
  args: readonly string[],
  settings: Record<string, string> = {},
  options: { launcher?: boolean } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [options.launcher === true ? launcher : program, ...args], {
    cwd: '/', // no .env of a developer
    env: { ...ordinary(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, out, err }
}

/** Of this process's environment only what has nothing to do with Florin; and a key, or a file for it would be made. */
export function ordinary(): NodeJS.Dict<string> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    TMPDIR: process.env['TMPDIR'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    // What a run counts or plants (mutants/run.ts) is counted and planted in here too.
    NODE_V8_COVERAGE: process.env['NODE_V8_COVERAGE'],
    NODE_OPTIONS: process.env['NODE_OPTIONS'],
    FLORIN_MUTANT: process.env['FLORIN_MUTANT'],
    SECRETS_KEY: testSecretsKey,
    // A database that is away is away: nobody starts it.
    DATABASE_START_WAIT_S: '0',
    ...patience,
  }
}
