import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openNameServer, type AnswerName, type NameServer } from '../../../test/support/name-server.ts'
import { openReceiver, type Receiver } from '../../../test/support/receiver.ts'
import { makeOutbound, type Outbound, type OutboundResult } from './outbound.ts'
import { makeResolve } from './resolve.ts'

// The names of a stranger, whose name server says what he likes and changes its mind; a server on loopback counts what
// gets through.

// A public address at which nobody answers us: the call ends by its time limit.
const elsewhere = '192.31.195.1'

const names: Record<string, readonly string[]> = {
  'private.example': ['10.1.2.3'],
  'loopback.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'unique-local.example': ['fd00:ec2::254'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'zero.example': ['0.0.0.0'],
  'mixed.example': [elsewhere, '127.0.0.1'],
  'mixed-families.example': [elsewhere, '::1'],
}

const answer: AnswerName = (name, time) => {
  if (name === 'rebinding.example') return [time === 1 ? elsewhere : '127.0.0.1']
  return names[name] ?? []
}

let canary: Receiver
let nameServer: NameServer
let outbound: Outbound
before(async () => {
  canary = await openReceiver()
  nameServer = await openNameServer(answer)
  outbound = makeOutbound({ resolve: makeResolve([nameServer.address]) })
})
after(() => Promise.all([canary.close(), nameServer.close(), outbound.close()]))

async function callTo(host: string, scope: 'public' | 'local' = 'public'): Promise<OutboundResult> {
  const url = `http://${host}:${new URL(canary.url).port}/`
  return outbound.post({ url, scope, timeoutMs: 300, headers: {}, body: '{}' })
}

test('a host that resolves even partly to our own network is not called', async () => {
  for (const name of Object.keys(names)) assert.equal((await callTo(name)).error, 'address_refused', name)
  assert.equal(canary.received.length, 0)
})

test('local addresses may be called in test mode on a developer’s machine', async () => {
  const already = canary.received.length
  assert.equal((await callTo('loopback.example', 'local')).status, 200)
  assert.equal(canary.received.length, already + 1)
})

test('DNS rebinding fails: a host is resolved once, and the checked address is called', async () => {
  const already = canary.received.length
  const first = await callTo('rebinding.example')
  assert.notEqual(first.error, 'address_refused', 'the first answer is public')
  assert.notEqual(first.status, 200)
  const asked = nameServer.asked.filter((question) => question.startsWith('rebinding.example '))
  assert.deepEqual(asked.toSorted(), ['rebinding.example A', 'rebinding.example AAAA'])
  assert.equal((await callTo('rebinding.example')).error, 'address_refused', 'and the next try asks again')
  assert.equal(canary.received.length, already)
})
