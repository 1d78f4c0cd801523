import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

let home: TestDatabase
let folder: string
before(async () => {
  home = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'florin-log-'))
})
after(async () => {
  await home.drop()
  rmSync(folder, { recursive: true })
})

test('a server logs every request once: while it runs, and the last ones as it stops', async () => {
  const file = join(folder, 'log')
  const server = await startServerProcess(home.url, { LOG_LEVEL: 'info' }, ['serve'], file)
  const ask = async (): Promise<string> =>
    (await fetch(`${server.url}/nothing`)).headers.get('x-request-id') ?? ''
  const logged = (): (string | undefined)[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => (JSON.parse(line) as { request_id?: string }).request_id)
  const first = await ask()
  await waitUntil('it is in the log', () => logged().includes(first))
  // Several pages of lines.
  const last = await Promise.all(Array.from({ length: 200 }, ask))
  await server.stop()
  const ids = logged().filter((id) => id !== undefined)
  assert.deepEqual(ids.toSorted(), [first, ...last].toSorted())
  assert.ok(!readFileSync(file, 'utf8').includes('/nothing'), 'an address may hold a secret')
})

test('a hanging log reader blocks nothing', async () => {
  const server = await startServerProcess(home.url, { LOG_LEVEL: 'info' })
  server.child.stdout?.pause()
  // Several times what a pipe holds: 64 kB on Linux, some 150 bytes a line.
  for (let round = 0; round < 15; round += 1) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${server.url}/nothing`)))
    assert.ok(answers.every(({ status }) => status === 404))
  }
  server.child.stdout?.resume()
  await server.stop()
})
