import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { openMoodyPostgres, type Mood } from '../support/moody-postgres.ts'
import { ordinary } from '../support/run-florin.ts'

// A PostgreSQL that replays its log answers some connections, refuses the next ones and drops others.

const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))
let home: TestDatabase

before(async () => {
  home = await createTestDatabase()
})
after(() => home.drop())

const startingUp: Mood = { code: '57P03', message: 'the database system is starting up' }
const inRecovery: Mood = { code: '57P03', message: 'the database system is in recovery mode' }
const shutDown: Mood = { code: '57P01', message: 'terminating connection due to administrator command' }

type Line = { level?: string; time?: string; msg?: string }

/** Starts a process with a public address, stops it when it is ready, and returns its lines. */
async function startThrough(
  moods: readonly Mood[],
  command: string[],
  ready: string,
): Promise<{ lines: Line[]; left: number }> {
  const database = await openMoodyPostgres(home.url, moods)
  const child = spawn(process.execPath, [program, ...command], {
    cwd: '/',
    env: {
      ...ordinary(),
      DATABASE_URL: database.url,
      DATABASE_START_WAIT_S: '3600',
      PORT: String(await freePort()),
      BASE_URL: 'https://pay.example.com',
      ALLOW_UNSAFE_DATABASE: 'on',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: Line[] = []
  try {
    for await (const line of createInterface(child.stdout)) {
      lines.push(JSON.parse(line) as Line)
      if (line.includes(ready)) child.kill('SIGTERM')
    }
    assert.deepEqual(await ended, [0, null], JSON.stringify(lines))
    return { lines, left: database.left() }
  } finally {
    child.kill('SIGKILL')
    await database.close()
  }
}

function waits(lines: readonly Line[]): string[] {
  return lines.flatMap(({ msg = '' }) => /^Waiting for .+ s more: (.+)/.exec(msg)?.[1] ?? [])
}

test('a server waits while its database starts up, recovers, drops connections and refuses again', async () => {
  const moods = [
    startingUp,
    'cut',
    inRecovery,
    'answers',
    shutDown,
    'answers',
    'answers',
    startingUp,
  ] as const
  const { lines, left } = await startThrough(moods, ['serve', '--no-worker'], 'Florin is ready at')
  assert.equal(left, 0)
  assert.deepEqual(waits(lines), [
    startingUp.message,
    'Connection terminated unexpectedly',
    inRecovery.message,
    shutDown.message,
    startingUp.message,
  ])
  for (const { level, time, msg } of lines) assert.ok(level && time && msg, 'every line is JSON with a time')
  assert.equal(
    lines.filter(({ msg }) => msg?.startsWith('No one has an account yet')).length,
    1,
    'the first start says so',
  )
})

test('a worker waits the same way, and the next start doesn’t repeat that no one has an account', async () => {
  const { lines } = await startThrough([startingUp, 'answers', 'cut'], ['worker'], 'Florin worker is ready')
  assert.deepEqual(waits(lines), [startingUp.message, 'Connection terminated unexpectedly'])
  const again = await startThrough([], ['serve', '--no-worker'], 'Florin is ready at')
  assert.deepEqual(
    again.lines.map(({ msg }) => msg),
    ['Florin is ready at https://pay.example.com'],
  )
})
