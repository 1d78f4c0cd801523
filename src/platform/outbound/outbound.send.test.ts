import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerWith, openReceiver } from '../../../test/support/receiver.ts'
import { makeOutbound } from './outbound.ts'

// Calls to networks that we chose ourselves: any method, longer answers, and an end when the caller wants it.

const never = new AbortController().signal

function callOf(url: string, changes: object = {}) {
  const call = {
    url,
    scope: 'local',
    method: 'GET',
    headers: {},
    body: '',
    signal: never,
    answerLimitBytes: 1_000,
  } as const
  return { ...call, ...changes }
}

test('a GET has no body, a POST has its own, and the answer says how to find the call', async () => {
  const receiver = await openReceiver(answerWith(200, { 'request-id': 'req_1', 'retry-after': '3' }, 'hello'))
  const outbound = makeOutbound()
  const got = await outbound.send(callOf(receiver.url, { body: 'not sent' }))
  assert.deepEqual(
    { ...got, ms: 0 },
    { status: 200, retryAfter: '3', requestId: 'req_1', answer: Buffer.from('hello'), ms: 0 },
  )
  await outbound.send(callOf(receiver.url, { method: 'POST', body: 'sent' }))
  assert.deepEqual(
    receiver.received.map(({ body }) => body),
    ['', 'sent'],
  )
  await Promise.all([outbound.close(), receiver.close()])
})

test('an answer is cut at the caller’s limit', async () => {
  const receiver = await openReceiver(answerWith(200, {}, 'x'.repeat(100_000)))
  const outbound = makeOutbound()
  const long = await outbound.send(callOf(receiver.url, { answerLimitBytes: 200_000 }))
  assert.equal(long.error === undefined && long.answer.length, 100_000)
  const short = await outbound.send(callOf(receiver.url))
  assert.equal(short.error === undefined && short.answer.length, 1_000)
  await Promise.all([outbound.close(), receiver.close()])
})

test('a signal ends the call and its connection, and an aborted signal sends nothing', async () => {
  const closed = Promise.withResolvers<void>()
  const patience = new AbortController()
  const silent = await openReceiver((request) => {
    request.socket.once('close', () => closed.resolve())
    patience.abort()
  })
  const outbound = makeOutbound()
  assert.equal((await outbound.send(callOf(silent.url, { signal: patience.signal }))).error, 'timeout')
  await closed.promise
  assert.equal((await outbound.send(callOf(silent.url, { signal: AbortSignal.abort() }))).error, 'timeout')
  assert.equal(silent.received.length, 1)
  await Promise.all([outbound.close(), silent.close()])
})

test('the public scope refuses this machine for these calls too', async () => {
  const receiver = await openReceiver()
  const outbound = makeOutbound()
  assert.equal((await outbound.send(callOf(receiver.url, { scope: 'public' }))).error, 'address_refused')
  await Promise.all([outbound.close(), receiver.close()])
})
