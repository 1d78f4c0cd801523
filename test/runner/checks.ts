import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

// Types, lint and format, beside the tests.

export type Check = {
  readonly name: string
  readonly ok: boolean
  readonly ms: number
  readonly output: string
}

// More checkers look at the same types again: 14 s of processor time with four, 10 with one.
const checks: readonly (readonly [string, readonly string[]])[] = [
  ['Types', ['node_modules/typescript/bin/tsc', '-p', '.', '--checkers', '1']],
  ['Lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
  ['Format', ['node_modules/oxfmt/bin/oxfmt', '--check']],
]

// Types and Lint are Go programs. Without collecting garbage they take two thirds of the processor time (25 s instead of 40) and
// a tenth more memory (1.6 GB), as they keep nearly everything until they end.
const environment = { ...process.env, GOGC: 'off' }

/** One after the other: each uses every core. */
export async function runChecks(root: string, onEnd: (check: Check) => void): Promise<Check[]> {
  const ended: Check[] = []
  for (const [name, args] of checks) {
    const began = performance.now()
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [[code], out, err] = await Promise.all([
      once(child, 'exit') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ])
    const check = { name, ok: code === 0, ms: performance.now() - began, output: out + err }
    ended.push(check)
    onEnd(check)
  }
  return ended
}
