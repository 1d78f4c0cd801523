import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer as createTcpServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import * as certificate from '../../../test/support/certificate.ts'
import { answerWith, openReceiver, type Receiver } from '../../../test/support/receiver.ts'
import { answerLimitBytes, makeOutbound, type OutboundScope } from './outbound.ts'

// Everything that must not be reachable, against the real connector; a server on loopback counts what gets through.

let canary: Receiver
let port: string
before(async () => {
  canary = await openReceiver()
  port = new URL(canary.url).port
})
after(() => canary.close())

function callOf(url: string, scope: OutboundScope = 'public', timeoutMs = 60_000) {
  return { url, scope, timeoutMs, headers: { 'content-type': 'application/json' }, body: '{}' }
}

const literals = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0177.0x0.0.1',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '0x0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[fec0::1]',
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '[::ffff:169.254.169.254]',
  '100.64.0.1',
  '100.100.100.200',
  '198.18.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

test('private, loopback and other special addresses are never called, in any spelling', async () => {
  const outbound = makeOutbound()
  for (const host of literals) {
    const result = await outbound.post(callOf(`http://${host}:${port}/`))
    assert.equal(result.error, 'address_refused', `${host}: ${JSON.stringify(result)}`)
    const overTls = await outbound.post(callOf(`https://${host}:${port}/`))
    assert.equal(overTls.error, 'address_refused', `${host} by https`)
  }
  assert.equal(canary.received.length, 0)
  await outbound.close()
})

const answers: Record<string, string[]> = {
  'private.test': ['10.1.2.3'],
  'loopback.test': ['127.0.0.1'],
  'six.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mixed-six.test': ['2606:4700::1111', 'fe80::1'],
  'zero.test': ['0.0.0.0'],
  'nat64.test': ['64:ff9b::7f00:1'],
}

test('a host is refused if any of its addresses is, whichever comes first', async () => {
  const outbound = makeOutbound({
    resolve: async (name) =>
      (answers[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })
  for (const name of Object.keys(answers)) {
    const result = await outbound.post(callOf(`http://${name}:${port}/`))
    assert.equal(result.error, 'address_refused', name)
  }
  assert.equal(canary.received.length, 0)
  await outbound.close()
})

test('a host whose address changes between tries is checked each time', async () => {
  let asked = 0
  const outbound = makeOutbound({
    resolve: async () => {
      asked += 1
      return [{ address: asked % 2 === 1 ? '192.31.195.1' : '127.0.0.1', family: 4 }]
    },
  })
  const errors = []
  for (let round = 0; round < 4; round += 1) {
    // A port for each round, as an open connection would be used again where somebody answers for any address.
    const url = `http://rebinding.test:${Number(port) + round}/`
    errors.push((await outbound.post(callOf(url, 'public', 100))).error)
  }
  assert.deepEqual(
    errors.map((error) => error === 'address_refused'),
    [false, true, false, true],
    'public answers are let through to the network, the others are not',
  )
  assert.equal(canary.received.length, 0)
  await outbound.close()
})

test('a local-scope connection is never reused for the public scope', async () => {
  const outbound = makeOutbound()
  const already = canary.received.length
  assert.equal((await outbound.post(callOf(canary.url, 'local'))).status, 200)
  assert.equal((await outbound.post(callOf(canary.url, 'public'))).error, 'address_refused')
  assert.equal((await outbound.post(callOf(`http://localhost:${port}/`, 'local'))).status, 200)
  assert.equal(canary.received.length, already + 2)
  for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0', '100.64.0.1', '224.0.0.1']) {
    const result = await outbound.post(callOf(`http://${host}:${port}/`, 'local'))
    assert.equal(result.error, 'address_refused', `${host} stays refused on a developer's machine`)
  }
  await outbound.close()
})

test('redirects are returned, not followed', async () => {
  const outbound = makeOutbound()
  const already = canary.received.length
  for (const status of [301, 302, 303, 307, 308]) {
    const redirecting = await openReceiver(answerWith(status, { location: canary.url }))
    assert.equal((await outbound.post(callOf(redirecting.url, 'local'))).status, status)
    await redirecting.close()
  }
  assert.equal(canary.received.length, already)
  await outbound.close()
})

test('certificates are checked for name and issuer', async () => {
  const server = await openReceiver(answerWith(200), certificate)
  const { port: tlsPort } = new URL(server.url)
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const strict = makeOutbound({ resolve })
  assert.equal((await strict.post(callOf(`https://shop.test:${tlsPort}/`, 'local'))).error, 'tls_failed')
  const trusting = makeOutbound({ resolve, ca: certificate.cert })
  assert.equal((await trusting.post(callOf(`https://shop.test:${tlsPort}/`, 'local'))).status, 200)
  assert.equal((await trusting.post(callOf(`https://127.0.0.1:${tlsPort}/`, 'local'))).status, 200)
  assert.equal((await trusting.post(callOf(`https://other.test:${tlsPort}/`, 'local'))).error, 'tls_failed')
  assert.equal(
    (await trusting.post(callOf(canary.url.replace('http:', 'https:'), 'local'))).error,
    'tls_failed',
  )
  await Promise.all([strict.close(), trusting.close(), server.close()])
})

test('each kind of failure has its own word', async () => {
  const outbound = makeOutbound({
    resolve: async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    },
  })
  assert.equal((await outbound.post(callOf('http://gone.test/', 'public'))).error, 'dns_failed')
  const resetting = await openReceiver((request) => void request.socket.resetAndDestroy())
  assert.equal((await outbound.post(callOf(resetting.url, 'local'))).error, 'connection_reset')
  await resetting.close()
  assert.equal((await outbound.post(callOf(resetting.url, 'local'))).error, 'connection_failed')

  const rude = createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n')).listen(
    0,
    '127.0.0.1',
  )
  await once(rude, 'listening')
  const { port: rudePort } = rude.address() as AddressInfo
  assert.equal((await outbound.post(callOf(`http://127.0.0.1:${rudePort}/`, 'local'))).error, 'not_http')
  rude.close()
  assert.equal((await outbound.post(callOf('http://', 'local'))).error, 'bad_url')
  await outbound.close()
})

test('a received status is kept, with as much of the answer as arrived', async () => {
  const outbound = makeOutbound()
  const start = 'HTTP/1.1 503 Busy\r\nretry-after: 7\r\nretry-after: 9\r\ncontent-length: 9\r\n\r\nhal'
  const breaking = await openReceiver((request) => void request.socket.end(start))
  const broken = await outbound.post(callOf(breaking.url, 'local'))
  const trickling = await openReceiver((request) => void request.socket.write(start))
  const late = await outbound.post(callOf(trickling.url, 'local', 150))
  for (const { ms, ...result } of [broken, late]) {
    assert.deepEqual(result, { status: 503, retryAfter: '7', answer: Buffer.from('hal') }, `after ${ms} ms`)
  }
  assert.ok(late.ms >= 140, `${late.ms} ms`)

  const hinting = await openReceiver((request) => void request.socket.end('HTTP/1.1 103 Soon\r\n\r\n'))
  assert.equal((await outbound.post(callOf(hinting.url, 'local'))).error, 'connection_reset')
  await Promise.all([outbound.close(), breaking.close(), trickling.close(), hinting.close()])
})

test('a connection is reused, except after an answer that was too long', async () => {
  const outbound = makeOutbound()
  const ports: (number | undefined)[] = []
  const start = 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n'
  const crumbs = `${start}${'1\r\nx\r\n'.repeat(70_000)}0\r\n\r\n`
  const receiver = await openReceiver((request, response, { url }) => {
    ports.push(request.socket.remotePort)
    if (url === '/crumbs') request.socket.end(crumbs)
    else response.end('x'.repeat(Number(url.slice(1))))
  })
  for (const [path, length] of [
    ...Array.from({ length: 20 }, () => ['/10', 10] as const),
    ['/1000000', answerLimitBytes],
    ['/crumbs', answerLimitBytes],
    ['/0', 0],
  ] as const) {
    const result = await outbound.post(callOf(new URL(path, receiver.url).href, 'local'))
    assert.equal(result.error === undefined && result.answer.length, length, path)
  }
  // Two: undici lets a connection rest for one turn of the event loop.
  assert.ok(new Set(ports.slice(0, 20)).size <= 2)
  assert.equal(new Set(ports.slice(-3)).size, 3)
  await Promise.all([outbound.close(), receiver.close()])
})
