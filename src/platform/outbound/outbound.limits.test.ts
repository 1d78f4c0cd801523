import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openReceiver } from '../../../test/support/receiver.ts'
import {
  answerLimitBytes,
  makeOutbound,
  totalTimeoutMs,
  type OutboundRequest,
  type OutboundResult,
} from './outbound.ts'

function callOf(url: string, timeoutMs = 60_000): OutboundRequest {
  return { url, scope: 'local', timeoutMs, headers: { 'content-type': 'application/json' }, body: '{}' }
}

test('an answer is read up to a limit', async () => {
  const outbound = makeOutbound()
  const huge = await openReceiver((_, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) {}
      response.once('drain', more)
    }
    more()
  })
  const big = await outbound.post(callOf(huge.url))
  assert.ok(big.status === 200 && big.answer.length === answerLimitBytes)
  await Promise.all([outbound.close(), huge.close()])
})

test('a call without an answer ends after its timeout', async (t) => {
  assert.equal(totalTimeoutMs, 15_000)
  let nowMs = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => nowMs)
  const pass = (ms: number): void => {
    nowMs += ms
    t.mock.timers.tick(ms)
  }
  const outbound = makeOutbound()
  const hanging = await openReceiver(() => {})
  let result: OutboundResult | undefined
  const hung = outbound.post(callOf(hanging.url, 150)).then((ended) => (result = ended))
  await hanging.first(1)
  pass(149)
  await nextTurn()
  assert.equal(result, undefined)
  pass(1)
  assert.deepEqual(await hung, { error: 'timeout', ms: 150 })

  const dripping = await openReceiver((request, response) => {
    const drip = setInterval(
      () => request.socket.write('HTTP/1.1 200 O'.charAt(Math.floor(Math.random() * 3))),
      10,
    )
    response.on('close', () => clearInterval(drip))
  })
  const dripped = outbound.post(callOf(dripping.url, 150))
  await dripping.first(1)
  pass(150)
  assert.ok(['timeout', 'not_http'].includes((await dripped).error ?? ''))
  await Promise.all([outbound.close(), hanging.close(), dripping.close()])
})

test('a call that times out before it has a connection is not sent', async () => {
  const answered = Promise.withResolvers<void>()
  const outbound = makeOutbound({
    resolve: async () => {
      await answered.promise
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  const canary = await openReceiver()
  const { port } = new URL(canary.url)
  const late = await outbound.post(callOf(`http://slow.test:${port}/`, 50))
  assert.equal(late.error, 'timeout')
  answered.resolve()
  assert.equal((await outbound.post(callOf(`http://slow.test:${port}/`))).status, 200)
  assert.equal(canary.received.length, 1)
  await Promise.all([outbound.close(), canary.close()])
})
