import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../bin/lock.js'
import { ordinary } from '../support/run-florin.ts'
import { waitUntil } from '../support/wait-until.ts'

// A supervisor knows npm's process and no other.

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'florin-npm-signals-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function npm(args: readonly string[], settings: Record<string, string>): ChildProcess {
  const running = process.env['npm_execpath'] ?? ''
  const [command, first] = basename(running).startsWith('npm-cli')
    ? [process.execPath, [running]]
    : ['npm', []]
  return spawn(command, [...first, '--silent', ...args], {
    cwd: root,
    env: { ...ordinary(), ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

async function lineOf(child: ChildProcess, start: string): Promise<string> {
  assert.ok(child.stdout)
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith(start)) return line
  throw new Error(`npm ended before it printed ${start}`)
}

test('SIGTERM to npm start ends the server and its PostgreSQL', async () => {
  const dataDir = join(folder, 'data')
  const child = npm(['start'], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  const url = (await lineOf(child, 'Florin is ready at ')).split(' ').at(-1) ?? ''
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as { pid: number }
  const postgres = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  assert.deepEqual([isAlive(pid), isAlive(postgres)], [true, true])

  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.deepEqual([isAlive(pid), isAlive(postgres)], [false, false])
  await assert.rejects(fetch(url))
})

test('SIGTERM to npm test ends every test process and their PostgreSQL', async () => {
  const file = join(folder, 'hangs.test.ts')
  writeFileSync(
    file,
    `import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    import { test } from 'node:test'
    test('never ends', async () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      const facts = [process.pid, child.pid, process.env['FLORIN_TEST_FOLDER']]
      writeFileSync(process.env['FACTS'], JSON.stringify(facts) + '\\n')
      await new Promise((resolve) => child.on('exit', resolve))
    })`,
  )
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const facts = join(folder, 'facts.json')
  writeFileSync(facts, '')
  const child = npm(['test', '--', file], { FACTS: facts, TMPDIR: temporary })
  const ended = once(child, 'exit')
  await waitUntil('the test runs', () => readFileSync(facts, 'utf8').endsWith('\n'))
  const told = JSON.parse(readFileSync(facts, 'utf8')) as [number, number, string]
  const place = told[2]
  const postgres = Number.parseInt(readFileSync(join(place, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const running = [told[0], told[1], postgres]
  assert.deepEqual(running.map(isAlive), [true, true, true])

  child.kill('SIGTERM')
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  assert.ok(code === 143 || signal === 'SIGTERM', `npm ended with ${code ?? signal}`)
  await waitUntil('all have ended', () => running.every((pid) => !isAlive(pid)))
  assert.throws(() => readFileSync(join(place, 'postgres', 'PG_VERSION')), 'the database of the run is gone')
})
