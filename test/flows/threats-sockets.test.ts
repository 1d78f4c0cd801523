import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { call, openHouse, type House } from '../support/house.ts'
import { hurry } from '../support/hurry.ts'
import { patience } from '../support/patience.ts'
import { waitUntil } from '../support/wait-until.ts'

// The threat table, the row of connections: held half-open, held in great numbers, never read from.

/** Linux answers on all of 127.0.0.0/8, so that a stranger can have an address of its own there. */
const skip = process.platform !== 'linux'
const stranger = '127.0.0.2'

async function openSockets(house: House, count: number, localAddress?: string): Promise<Socket[]> {
  const { hostname, port } = new URL(house.url)
  const sockets = Array.from({ length: count }, () => {
    // Half-open: our end of the connection is not answered by an end of theirs.
    const at = { host: hostname, port: Number(port), allowHalfOpen: true }
    return connect({ ...at, ...(localAddress !== undefined && { localAddress }) }).on('error', () => {})
  })
  await Promise.all(sockets.map(async (socket) => once(socket, 'connect')))
  return sockets
}

async function countOpen(house: House): Promise<number> {
  return new Promise((resolve) => house.app.server.server.getConnections((_, count) => resolve(count)))
}

async function closeAll(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy()
}

test('connections that send nothing, half a header or half a body, and ignore our end, are still closed', async () => {
  const house = await openHouse()
  const sockets = await openSockets(house, 200)
  try {
    for (const [at, socket] of sockets.entries()) {
      // Read, so that our end reaches them; they do nothing about it.
      socket.resume()
      if (at % 4 === 1) socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nx-more')
      if (at % 4 === 2)
        socket.write('POST /api/payment HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"tx')
      if (at % 4 === 3) socket.write('HELLO\r\n\r\n')
    }
    hurry(house)
    await waitUntil('every one of them is closed', async () => (await countOpen(house)) === 0)
  } finally {
    await closeAll(sockets)
    await house.close()
  }
})

test('a client that asks for much and never reads the answers is cut off', async () => {
  const house = await openHouse()
  assert.equal(house.app.server.server.timeout, 3 * Number(patience.REQUEST_TIMEOUT_MS))
  house.app.server.server.timeout = 1_000
  const sockets = await openSockets(house, 3)
  try {
    const many = 'GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(200)
    for (const socket of sockets) socket.pause().write(many)
    await waitUntil('they are closed', async () => (await countOpen(house)) === 0)
  } finally {
    await closeAll(sockets)
    await house.close()
  }
})

test(
  'a stranger holds at most one address’s connections, and honest calls are answered',
  { skip },
  async () => {
    const house = await openHouse({
      settings: { MAX_CONNECTIONS: '200', MAX_CONNECTIONS_PER_ADDRESS: '50' },
    })
    const sockets = await openSockets(house, 600, stranger)
    try {
      await waitUntil('the rest is refused', async () => (await countOpen(house)) === 50)
      const headers = { connection: 'close' }
      const answers = await Promise.all(
        Array.from({ length: 40 }, async () => call(`${house.url}/healthz`, { headers })),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const { text } = await call(`${house.url}/metrics`, { headers })
      assert.match(text, /^florin_connections_refused_total\{limit="address"\} 550$/m)
      assert.equal(house.log().match(/"One address has 50 connections[^"]*TRUSTED_PROXIES"/g)?.length, 1)

      // Another customer behind the stranger's address is let in at once.
      const [again] = await openSockets(house, 1, stranger)
      again?.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
      again?.end()
      assert.match(String((await once(again as Socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
    } finally {
      await closeAll(sockets)
      await house.close()
    }
  },
)

test('a listed proxy isn’t limited: all its customers come from its address', { skip }, async () => {
  const house = await openHouse({
    settings: { MAX_CONNECTIONS_PER_ADDRESS: '20', TRUSTED_PROXIES: '127.0.0.2/32' },
  })
  const sockets = await openSockets(house, 100, stranger)
  try {
    await waitUntil('all of them are there', async () => (await countOpen(house)) === 100)
    assert.equal((await call(`${house.url}/healthz`)).status, 200)
  } finally {
    await closeAll(sockets)
    await house.close()
  }
})

test('connections never exceed the overall limit, and a closed one makes room', async () => {
  const house = await openHouse({
    settings: { MAX_CONNECTIONS: '30', MAX_CONNECTIONS_PER_ADDRESS: '1000', TRUSTED_PROXIES: '127.0.0.1' },
  })
  const sockets = await openSockets(house, 60)
  try {
    await waitUntil('the rest is refused', async () => (await countOpen(house)) === 30)
    await closeAll(sockets)
    await waitUntil('nobody is left', async () => (await countOpen(house)) === 0)
    assert.equal((await call(`${house.url}/healthz`)).status, 200)
    assert.match(house.log(), /"30 connections are open, refusing new ones: see MAX_CONNECTIONS"/)
  } finally {
    await closeAll(sockets)
    await house.close()
  }
})
