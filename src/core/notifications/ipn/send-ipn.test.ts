import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../../platform/database/database.ts'
import type { OutboundCall, OutboundRequest, OutboundResult } from '../../../platform/outbound/outbound.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { testReceiverUrl } from '../test-receiver/address.ts'
import { sendIpn, type Ipn, type Outcome } from './send-ipn.ts'
import { signatureHeaders } from './signature.ts'

const now = new Date('2026-11-15T12:00:00Z')
const baseUrl = 'https://pay.example.com'
const ipn: Ipn = {
  merchantId: 12345678,
  mode: 'live',
  id: 'evt_1',
  target: 'https://shop.example/ipn',
  body: '{"event":"payment.success"}',
  secrets: ['whsec_b25l', 'whsec_dHdv'],
}

async function send(
  result: OutboundResult,
  changes: Partial<Ipn> = {},
  allowLocal = false,
  answeredGet: OutboundResult = answered(200),
): Promise<{ outcome: Outcome; asked: OutboundRequest; calls: OutboundCall[] }> {
  const asked: OutboundRequest[] = []
  const calls: OutboundCall[] = []
  const outcome = await sendIpn(
    {
      // Whose secrets are there already needs no database.
      db: undefined as unknown as Database,
      secrets: testSecrets,
      openStored: (_, stored) => stored,
      outbound: {
        post: async (request) => {
          asked.push(request)
          return result
        },
        send: async (call) => {
          calls.push(call)
          return answeredGet
        },
        close: async () => {},
      },
      allowLocal,
      baseUrl,
      now: () => now,
    },
    { ...ipn, ...changes },
  )
  const [request, ...more] = asked
  assert.ok(request)
  assert.deepEqual(more, [])
  return { outcome, asked: request, calls }
}

const answered = (status: number, answer: Buffer = Buffer.from('ok')): OutboundResult => ({
  ms: 7,
  status,
  retryAfter: '60',
  answer,
})

test('the stored bytes are sent to the stored URL, signed with every valid secret', async () => {
  const { asked } = await send(answered(200))
  assert.deepEqual(asked, {
    url: ipn.target,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Florin',
      ...signatureHeaders({ id: 'evt_1', body: ipn.body, at: now }, ipn.secrets ?? []),
    },
    body: ipn.body,
    scope: 'public',
  })
  assert.equal((await send(answered(200), { timeoutMs: 8_000 })).asked.timeoutMs, 8_000)
})

test('200 to 299 means received, 410 means unwanted, and everything else is retried', async () => {
  const verdictOf = async (status: number) => (await send(answered(status))).outcome.verdict
  for (const status of [200, 204, 299]) assert.equal(await verdictOf(status), 'delivered')
  for (const status of [100, 199, 300, 302, 400, 404, 409, 411, 500, 503]) {
    assert.equal(await verdictOf(status), 'failed', String(status))
  }
  assert.equal(await verdictOf(410), 'gone')
})

test('only 429 and 503 may ask for a delay', async () => {
  const timeOf = async (status: number) => (await send(answered(status))).outcome.retryAfter
  for (const status of [429, 503]) assert.equal(await timeOf(status), '60')
  for (const status of [200, 410, 428, 430, 500, 502, 504]) assert.equal(await timeOf(status), undefined)
})

test('the first 1,024 bytes of an answer are kept, as text the database can store', async () => {
  const answerOf = async (bytes: Buffer) => (await send(answered(200, bytes))).outcome.answer
  assert.equal(await answerOf(Buffer.from('a'.repeat(1_025))), 'a'.repeat(1_024))
  assert.equal(await answerOf(Buffer.from('a\0b')), 'a\ufffdb')
  assert.equal(await answerOf(Buffer.from([0x61, 0xff])), 'a\ufffd')
})

test('an attempt without an answer fails with its reason', async () => {
  const { outcome } = await send({ ms: 7, error: 'tls_failed', cause: 'CERT_HAS_EXPIRED' })
  assert.deepEqual(outcome, {
    verdict: 'failed',
    ms: 7,
    status: null,
    error: 'tls_failed',
    answer: null,
    cause: 'CERT_HAS_EXPIRED',
  })
  assert.deepEqual((await send(answered(410))).outcome, {
    verdict: 'gone',
    ms: 7,
    status: 410,
    error: null,
    answer: 'ok',
  })
})

test('local addresses are called only in test mode, by a developer or for Florin’s own test receiver', async () => {
  const ours = testReceiverUrl(baseUrl, 12345678)
  const scopeOf = async (mode: 'test' | 'live', target: string, allowLocal: boolean) =>
    (await send(answered(200), { mode, target }, allowLocal)).asked.scope
  assert.equal(await scopeOf('test', ipn.target, true), 'local')
  assert.equal(await scopeOf('test', ours, false), 'local')
  assert.equal(await scopeOf('test', ipn.target, false), 'public')
  assert.equal(await scopeOf('live', ipn.target, true), 'public')
  assert.equal(await scopeOf('live', ours, true), 'public')
})

test('a receiver of the family that refuses POST is asked by GET in the same try, whose result counts', async () => {
  const family = { dialect: 'family' } as const
  for (const status of [404, 405]) {
    const { outcome, calls } = await send(answered(status), family, false, { ...answered(204), ms: 5 })
    assert.deepEqual(
      calls.map(({ method, url, headers, timeoutMs }) => ({ method, url, headers, timeoutMs })),
      [
        {
          method: 'GET',
          url: ipn.target,
          headers: { accept: '*/*', 'user-agent': 'Florin' },
          timeoutMs: 14_993,
        },
      ],
    )
    assert.deepEqual([outcome.verdict, outcome.status, outcome.ms], ['delivered', 204, 12])
    assert.equal((await send(answered(status), family, false, answered(500))).outcome.verdict, 'failed')
    assert.deepEqual((await send(answered(status))).calls, [], 'not without the dialect')
  }
  for (const status of [200, 204, 302, 400, 403, 410, 500])
    assert.deepEqual((await send(answered(status), family)).calls, [], String(status))
  assert.deepEqual((await send({ ms: 7, error: 'timeout' }, family)).calls, [])
})

test('a receiver of the family that redirects has received, whether it was asked by POST or GET', async () => {
  const family = { dialect: 'family' } as const
  for (const status of [302, 303]) {
    assert.equal((await send(answered(status), family)).outcome.verdict, 'delivered')
    assert.equal((await send(answered(405), family, false, answered(status))).outcome.verdict, 'delivered')
    assert.equal((await send(answered(status))).outcome.verdict, 'failed', 'not without the dialect')
  }
  for (const status of [301, 304, 307, 308])
    assert.equal((await send(answered(status), family)).outcome.verdict, 'failed', String(status))
})

test('a GET that follows a slow POST has at least a second', async () => {
  const slow = { ...answered(405), ms: 14_900 }
  assert.equal((await send(slow, { dialect: 'family' })).calls[0]?.timeoutMs, 1_000)
})

test('the plain signature has a second name for receivers of the family', async () => {
  const { headers } = (await send(answered(200), { dialect: 'family' })).asked
  assert.match(headers['signature'] ?? '', /^[0-9a-f]{64}$/)
  assert.equal(headers['x-chapa-signature'], headers['signature'])
})
