import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { makeBareServer, type BareServer } from '../../../test/support/bare-server.ts'
import { openSocket } from '../../../test/support/raw-request.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { withinDescriptors, type ConnectionLimits } from './limit-connections.ts'

test('where the system has few descriptors a quarter is kept free, and nobody gets more than half of the rest', () => {
  const asked = { all: 10_000, perAddress: 500 }
  assert.deepEqual(withinDescriptors(asked, undefined), asked)
  assert.deepEqual(withinDescriptors(asked, 1_000_000), asked)
  assert.deepEqual(withinDescriptors(asked, 1_024), { all: 768, perAddress: 384 })
  assert.deepEqual(withinDescriptors({ all: 10, perAddress: 500 }, 256), { all: 10, perAddress: 5 })
})

test(
  'no more connections are taken than the system has descriptors',
  { skip: process.platform !== 'linux' },
  (t) => {
    const connections = { all: Number.MAX_SAFE_INTEGER, perAddress: 1 }
    const { maxConnections } = makeBareServer(t, { connections }).server.server
    assert.ok(maxConnections > 0 && maxConnections < Number.MAX_SAFE_INTEGER)
  },
)

type Door = BareServer & { knock(): Promise<{ isOpen: boolean; socket: Socket }> }

/** A server that says hello, and whether a connection gets to hear it. */
async function openDoor(
  t: TestContext,
  connections: ConnectionLimits,
  trustedProxies: readonly string[] = [],
): Promise<Door> {
  const bare = makeBareServer(t, { connections, trustedProxies })
  bare.server.get('/', async () => 'hello')
  const url = await bare.server.listen({ host: '127.0.0.1', port: 0 })
  // A second one would give each connection a parser that never hears anything, and ends it for that.
  assert.equal(bare.server.server.listenerCount('connection'), 1)
  const knock: Door['knock'] = async () => {
    const socket = openSocket(url).on('error', () => {})
    t.after(() => socket.destroy())
    let heard = ''
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await waitUntil('it was answered or refused', () => heard.endsWith('hello') || socket.destroyed)
    return { isOpen: !socket.destroyed && heard.split('HTTP/1.1 200 OK').length === 2, socket }
  }
  return { ...bare, knock }
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

async function leave(door: Door, socket: Socket): Promise<void> {
  const count = await countOf(door)
  socket.destroy()
  await waitUntil('the server noticed', async () => (await countOf(door)) < count)
}

test('an address has as many connections as it may and no more, each that it closes makes room for one, and the operator is told once a minute', async (t) => {
  let nowMs = 1_000
  t.mock.method(performance, 'now', () => nowMs)
  const door = await openDoor(t, { all: 100, perAddress: 2 })
  const [first, second, third] = [await door.knock(), await door.knock(), await door.knock()]
  assert.deepEqual([first.isOpen, second.isOpen, third.isOpen], [true, true, false])
  assert.deepEqual(await door.figures('florin_connections_open'), ['florin_connections_open 2'])
  const warning =
    'One address has 2 connections, more of it are refused. If it is your proxy, list it in TRUSTED_PROXIES'
  assert.deepEqual(warnings(door), [warning])

  await leave(door, first.socket)
  const fourth = await door.knock()
  assert.deepEqual([fourth.isOpen, (await door.knock()).isOpen], [true, false])
  await leave(door, second.socket)
  await leave(door, fourth.socket)
  const again = [await door.knock(), await door.knock(), await door.knock()]
  assert.deepEqual(
    again.map(({ isOpen }) => isOpen),
    [true, true, false],
  )
  assert.deepEqual(warnings(door), [warning])
  nowMs += 60_000
  await door.knock()
  assert.deepEqual(warnings(door), [warning, warning])
  assert.deepEqual(await door.figures('florin_connections_refused_total{'), [
    'florin_connections_refused_total{limit="address"} 4',
  ])
})

test('a proxy that is listed has as many as it opens', async (t) => {
  const door = await openDoor(t, { all: 100, perAddress: 1 }, ['127.0.0.1'])
  for (let count = 0; count < 4; count += 1) assert.equal((await door.knock()).isOpen, true)
  assert.deepEqual(warnings(door), [])
})

test('all together have as many as the limit of all', async (t) => {
  const door = await openDoor(t, { all: 2, perAddress: 100 }, ['127.0.0.1'])
  const knocked = [await door.knock(), await door.knock(), await door.knock(), await door.knock()]
  assert.deepEqual(
    knocked.map(({ isOpen }) => isOpen),
    [true, true, false, false],
  )
  assert.deepEqual(warnings(door), ['2 connections are open, more are refused: see MAX_CONNECTIONS'])
  assert.deepEqual(await door.figures('florin_connections_refused_total{'), [
    'florin_connections_refused_total{limit="all"} 2',
  ])
})
