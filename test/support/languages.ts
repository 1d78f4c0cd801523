import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { hasGuzzle, installJsClient, installPhpClient } from './installed-clients.ts'

// Programs in the languages that merchants write, run where their interpreter is on the machine. Where it is not, the
// run says so: see the note in the test's line.

type Runner = {
  readonly command: string
  readonly probe: string
  readonly args?: readonly string[]
  /** Puts what the program imports into its folder. */
  readonly prepare?: (folder: string) => void
}

const runners = {
  sh: { command: 'sh', probe: 'curl --version' },
  js: { command: process.execPath, probe: '' },
  php: { command: 'php', probe: 'php --version' },
  py: { command: 'python3', probe: 'python3 --version' },
  rb: { command: 'ruby', probe: 'ruby --version' },
  go: { command: 'go', probe: 'go version', args: ['run'] },
  'client.js': { command: process.execPath, probe: '', prepare: installJsClient },
  'client.php': { command: 'php', probe: 'php --version', prepare: installPhpClient },
} as const satisfies Record<string, Runner>

export type Ending = keyof typeof runners

/** Whether programs of this kind can run here; if not, it is noted. */
export function canRun(ending: Ending, context: TestContext): boolean {
  const { probe } = runners[ending]
  const [command = '', ...args] = probe.split(' ')
  const isThere = probe === '' || spawnSync(command, args, { stdio: 'ignore' }).status === 0
  if (isThere && (ending !== 'client.php' || hasGuzzle())) return true
  const missing = isThere ? 'Guzzle' : command
  context.diagnostic(`note: no ${missing} on this machine, so "${context.name}" ran nothing`)
  return false
}

export type Ran = { readonly code: number | null; readonly output: string; readonly errors: string }

/** Puts the files into the folder and runs the first. The server under test lives in this process: nothing may block it. */
export async function runProgram(
  ending: Ending,
  folder: string,
  files: Readonly<Record<string, string>>,
  { environment = {}, input = '' }: { environment?: Record<string, string>; input?: string } = {},
): Promise<Ran> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const runner: Runner = runners[ending]
  runner.prepare?.(folder)
  const names =
    ending === 'go'
      ? Object.keys(files).filter((name) => name.endsWith('.go'))
      : Object.keys(files).slice(0, 1)
  const env = {
    ...process.env,
    GOCACHE: join(folder, 'go-cache'),
    GO111MODULE: 'off',
    GOTOOLCHAIN: 'local',
    ...environment,
  }
  const child = spawn(runner.command, [...(runner.args ?? []), ...names], { cwd: folder, env })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => {}) // a program that ends without reading
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output, errors }))
  })
}
