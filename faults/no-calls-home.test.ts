import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { patience } from '../test/support/patience.ts'
import type { Call } from './note-calls.ts'
import { freePort } from './server.ts'
import { testSecretsKey } from '../test/support/secrets.ts'

const program = fileURLToPath(new URL('../src/florin.ts', import.meta.url))
const notes = new URL('./note-calls.ts', import.meta.url).href
let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

test('a running server connects to its database and to nothing else', async () => {
  const port = await freePort()
  const calls: Call[] = []
  const child = spawn(process.execPath, ['--import', notes, program, 'serve'], {
    cwd: '/',
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: database.url,
      SECRETS_KEY: testSecretsKey,
      PORT: String(port),
      LOG_LEVEL: 'error',
      ...patience,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.on('message', (call) => calls.push(call as Call))
  const ended = once(child, 'exit')
  assert.ok(child.stdout)
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('is ready')) break
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/payment/1']) {
    await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer()
  }
  child.kill('SIGTERM')
  await ended

  const allowed = `connection ${new URL(database.url).host}`
  assert.ok(calls.length > 0, 'the notes are kept')
  assert.deepEqual([...new Set(calls.map(({ kind, to }) => `${kind} ${to}`))], [allowed])
})
