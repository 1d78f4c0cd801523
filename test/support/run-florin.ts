import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { readInvocation, runCommand } from '../../src/app/commands/run-command.ts'
import { withStandard, type Standard } from '../../src/cli/terminal/standard.ts'
import { patience } from './patience.ts'
import { testSecretsKey } from './secrets.ts'

// `florin …`, in this process or in one of its own.

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))
const launcher = fileURLToPath(new URL('../../bin/florin', import.meta.url))

/** They listen to signals and log to descriptor 1, which belong to the whole process. */
const needsProcess = new Set(['serve', 'worker'])

/**
 * A command in this process, with the result that a process of its own would give, which takes 0.2 to 0.9 s of processor
 * time, most of it to load modules. test/flows/commands-as-processes.test.ts runs every command both ways.
 */
export async function runFlorin(
  args: readonly string[],
  settings: Record<string, string> = {},
  { typed }: { /** The answers of a person at a terminal. */ typed?: string } = {},
): Promise<Ended> {
  const invocation = readInvocation(args)
  if (needsProcess.has(invocation.name) && !invocation.rest.includes('--help'))
    return runFlorinProcess(args, settings)
  const [out, err] = [new Kept(), new Kept()]
  const stdin = Readable.from(typed === undefined ? [] : [typed])
  if (typed !== undefined) {
    Object.assign(stdin, { isTTY: true, setRawMode: () => {} })
    Object.assign(err, { isTTY: true })
  }
  const streams: Standard = { stdin, stdout: out, stderr: err }
  // A process is started in /, and would have its data there.
  const environment = { DATA_DIR: '/data', ...ordinary(), ...settings }
  await withStandard(streams, async () => runCommand(invocation, environment))
  return { code: Number(streams.exitCode ?? 0), out: out.text(), err: err.text() }
}

class Kept extends Writable {
  readonly #parts: Buffer[] = []

  override _write(part: Buffer, _encoding: string, done: () => void): void {
    this.#parts.push(part)
    done()
  }

  text(): string {
    return Buffer.concat(this.#parts).toString('utf8')
  }
}

/** As a person runs it. */
export async function runFlorinProcess(
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
