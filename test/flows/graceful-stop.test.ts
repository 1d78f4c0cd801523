import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Socket } from 'node:net'
import { Database } from '../../src/platform/database/database.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { openSocket, readAnswer } from '../support/raw-request.ts'
import { startServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

let home: TestDatabase
let key: string

before(async () => {
  home = await createTestDatabase()
  const db = new Database(home.url)
  key = (
    await createKey(db, await createMerchant(db, { name: 'Corner shop' }), { kind: 'secret', name: 'till' })
  ).key
  await db.close()
})
after(() => home.drop())

test('after SIGTERM a running request finishes, no new one starts, and the exit code is 0', async () => {
  const server = await startServerProcess(home.url)
  const ended = once(server.child, 'exit')
  const upload = await startUpload(server.url)
  server.child.kill('SIGTERM')
  await waitUntil('nobody else gets in', () => isClosed(server.url))
  assert.equal(server.child.exitCode, null, 'it waits for the upload')
  const answer = readAnswer(upload.socket)
  upload.finish()
  const { status, headers, json } = await answer
  assert.equal(status, 201)
  assert.equal(json.status, 'success')
  assert.equal(headers.get('connection'), 'close')
  assert.deepEqual(await ended, [0, null])
})

test('a request that never finishes is cut off after the shutdown timeout', async () => {
  const server = await startServerProcess(home.url, {
    SHUTDOWN_TIMEOUT_MS: '1000',
    LOG_LEVEL: 'warn',
  })
  const ended = once(server.child, 'close')
  const log = text(server.child.stdout as Readable)
  const upload = await startUpload(server.url)
  upload.socket.on('error', () => {})
  const answer = readAnswer(upload.socket)
  server.child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.match(await log, /Some work did not finish in time and was stopped/)
  assert.equal((await answer).body, '', 'it was not the limit of the request that ended it')
})

test('idle connections don’t hold up the shutdown', async () => {
  const server = await startServerProcess(home.url)
  const ended = once(server.child, 'exit')
  const idle = openSocket(server.url)
  idle.on('error', () => {}).resume()
  idle.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(idle, 'data')
  server.child.kill('SIGINT')
  assert.deepEqual(await ended, [0, null])
})

test('a standalone worker stops with exit code 0', async () => {
  const worker = await startServerProcess(home.url, {}, ['worker'])
  const ended = once(worker.child, 'exit')
  worker.child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('a taken port is reported in one line', async () => {
  const server = await startServerProcess(home.url)
  const { port } = new URL(server.url)
  await assert.rejects(startServerProcess(home.url, { PORT: port }), /ended with 69/)
  assert.equal((await call(`${server.url}/healthz`)).status, 200)
  await server.stop()
})

/** A payment of which only the half was sent, and the server has begun to read it. */
async function startUpload(url: string): Promise<{ socket: Socket; finish(): void }> {
  const body = JSON.stringify(paymentRequest())
  const socket = openSocket(url)
  socket.write(
    `POST /api/payment HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
      `expect: 100-continue\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`,
  )
  // The server asks for the body: it has the request, and from now on it has to wait for it.
  const [asked] = (await once(socket, 'data')) as [Buffer]
  assert.match(asked.toString(), /^HTTP\/1\.1 100 /)
  socket.write(body.slice(0, 10))
  return { socket, finish: () => void socket.write(body.slice(10)) }
}

async function isClosed(url: string): Promise<boolean> {
  const socket = openSocket(url)
  return new Promise((resolve) => {
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true))
  }).then((closed) => {
    socket.destroy()
    return closed as boolean
  })
}
