import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { makeBareServer, type BareServer } from '../../../../test/support/bare-server.ts'
import { openSocket } from '../../../../test/support/raw-request.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { withinDescriptors, type ConnectionLimits } from './limit-connections.ts'

test('with few descriptors a quarter is kept free, and an address gets at most half of the rest', () => {
  const asked = { all: 10_000, perAddress: 500 }
  assert.deepEqual(withinDescriptors(asked, undefined), asked)
  assert.deepEqual(withinDescriptors(asked, 1_000_000), asked)
  assert.deepEqual(withinDescriptors(asked, 1_024), { all: 768, perAddress: 384 })
  assert.deepEqual(withinDescriptors({ all: 10, perAddress: 500 }, 256), { all: 10, perAddress: 5 })
})

test('connections never exceed the system’s descriptors', { skip: process.platform !== 'linux' }, (t) => {
  const connections = { all: Number.MAX_SAFE_INTEGER, perAddress: 1 }
  const { maxConnections } = makeBareServer(t, { connections }).server.server
  assert.ok(maxConnections > 0 && maxConnections < Number.MAX_SAFE_INTEGER)
})

const slowRequest = 'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n'

type Door = BareServer & {
  /** Answers that /slow owes. */
  readonly waiting: (() => void)[]
  readonly sockets: Socket[]
  knock(): Promise<{ isOpen: boolean; socket: Socket }>
}

/** A server that says hello, and whether a connection gets to hear it. */
async function openDoor(
  t: TestContext,
  connections: ConnectionLimits,
  trustedProxies: readonly string[] = [],
): Promise<Door> {
  const sockets: Socket[] = []
  // Before the server is told to close: it waits for requests that have begun.
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  const bare = makeBareServer(t, { connections, trustedProxies })
  const waiting: (() => void)[] = []
  bare.server.get('/', async () => 'hello')
  bare.server.get('/slow', async () => new Promise((resolve) => waiting.push(() => resolve('hello'))))
  const url = await bare.server.listen({ host: '127.0.0.1', port: 0 })
  // A second one would give each connection a parser that never hears anything, and ends it for that.
  assert.equal(bare.server.server.listenerCount('connection'), 1)
  const knock: Door['knock'] = async () => {
    const socket = openSocket(url).on('error', () => {})
    sockets.push(socket)
    let heard = ''
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await waitUntil('it was answered or refused', () => heard.endsWith('hello') || socket.destroyed)
    return { isOpen: !socket.destroyed && heard.split('HTTP/1.1 200 OK').length === 2, socket }
  }
  return { ...bare, sockets, waiting, knock }
}

async function countOf({ server }: Door): Promise<number> {
  return new Promise((resolve) => server.server.getConnections((_, count) => resolve(count)))
}

function warnings({ lines }: Door): (string | undefined)[] {
  return lines
    .map((line) => JSON.parse(line) as { level: string; msg?: string })
    .filter(({ level }) => level === 'warn')
    .map(({ msg }) => msg)
}

/** A connection on which this was sent. */
async function send({ server, sockets }: Door, text: string): Promise<Socket> {
  const at = server.server.address()
  assert.ok(at && typeof at === 'object')
  const socket = openSocket(`http://127.0.0.1:${at.port}`).on('error', () => {})
  sockets.push(socket)
  const taken = once(server.server, 'connection')
  socket.resume().write(text)
  await taken
  return socket
}

const halfHead = 'GET / HTTP/1.1\r\nhost: a\r\nx-half'

test('at an address’s limit a new connection replaces its oldest idle one, logged once a minute', async (t) => {
  let nowMs = 1_000
  t.mock.method(performance, 'now', () => nowMs)
  const door = await openDoor(t, { all: 100, perAddress: 3 })
  const answered = await door.knock()
  const oldest = await send(door, halfHead)
  const newer = await send(door, '')
  assert.deepEqual(await door.figures('florin_connections_open'), ['florin_connections_open 3'])
  assert.deepEqual(warnings(door), [])

  assert.equal((await door.knock()).isOpen, true)
  await waitUntil('the oldest is closed', () => oldest.destroyed)
  assert.equal((await door.knock()).isOpen, true)
  await waitUntil('the next is closed', () => newer.destroyed)
  assert.equal(answered.socket.destroyed, false)
  const warning =
    'One address has 3 connections, so Florin closes an idle one for each new one. If it is your proxy, add it to TRUSTED_PROXIES'
  assert.deepEqual(warnings(door), [warning])
  nowMs += 60_000
  assert.equal((await door.knock()).isOpen, true)
  await waitUntil('the oldest idle one is closed', () => answered.socket.destroyed)
  assert.deepEqual(warnings(door), [warning, warning])
  assert.deepEqual(await door.figures('florin_connections_refused_total{'), [
    'florin_connections_refused_total{limit="all"} 0',
    'florin_connections_refused_total{limit="address"} 3',
  ])
})

test('a connection with a running request is never closed for a new one', async (t) => {
  const door = await openDoor(t, { all: 100, perAddress: 2 })
  const [first, second] = [await send(door, slowRequest), await send(door, slowRequest)]
  await waitUntil('both are being answered', () => door.waiting.length === 2)
  assert.equal((await door.knock()).isOpen, false)
  for (const answer of door.waiting) answer()
  assert.match(String(await once(first, 'data')), /^HTTP\/1\.1 200 /)
  assert.equal(second.destroyed, false)
  await waitUntil('the answer is out', async () => (await door.knock()).isOpen)
})

test('honest calls succeed beside ten times the address’s limit of half-open sockets', async (t) => {
  const door = await openDoor(t, { all: 1_000, perAddress: 20 })
  for (let round = 0; round < 10; round += 1) {
    for (let opened = 0; opened < 20; opened += 1)
      await send(
        door,
        opened % 2 === 0 ? halfHead : 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{',
      )
    assert.equal((await door.knock()).isOpen, true)
  }
  assert.equal(await countOf(door), 20)
})

test('a listed proxy may open any number of connections', async (t) => {
  const door = await openDoor(t, { all: 100, perAddress: 1 }, ['127.0.0.1'])
  for (let count = 0; count < 4; count += 1) assert.equal((await door.knock()).isOpen, true)
  assert.deepEqual(warnings(door), [])
})

test('all addresses together share the overall limit', async (t) => {
  const door = await openDoor(t, { all: 2, perAddress: 100 }, ['127.0.0.1'])
  const knocked = [await door.knock(), await door.knock(), await door.knock(), await door.knock()]
  assert.deepEqual(
    knocked.map(({ isOpen }) => isOpen),
    [true, true, false, false],
  )
  assert.deepEqual(warnings(door), ['2 connections are open, refusing new ones: see MAX_CONNECTIONS'])
  assert.deepEqual(await door.figures('florin_connections_refused_total{'), [
    'florin_connections_refused_total{limit="all"} 2',
    'florin_connections_refused_total{limit="address"} 0',
  ])
})
