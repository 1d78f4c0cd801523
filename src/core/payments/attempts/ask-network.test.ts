import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLog } from '../../../platform/http/log.ts'
import { askNetwork } from './ask-network.ts'

const log = makeLog('silent')

test('an answer in time is passed on', async () => {
  assert.equal(await askNetwork(log, async () => 'answer'), 'answer')
})

test('a failing network counts as no answer', async () => {
  const failing = async (): Promise<never> => Promise.reject(new Error('connection reset'))
  assert.deepEqual(await askNetwork(log, failing), { kind: 'no_answer' })
})

test('a hanging network counts as no answer after its timeout, even if it ignores the signal', async () => {
  let seen: AbortSignal | undefined
  const hanging = async (signal: AbortSignal): Promise<never> => {
    seen = signal
    return new Promise<never>(() => {})
  }
  assert.deepEqual(await askNetwork(log, hanging, 5), { kind: 'no_answer' })
  assert.equal(seen?.aborted, true)
})
