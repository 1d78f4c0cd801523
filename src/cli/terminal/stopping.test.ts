import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { Stopped } from './stopped.ts'
import { listenForStop } from './stopping.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
afterEach(() => {
  for (const signal of signals) process.removeAllListeners(signal)
})

test('a command continues unless it was told to stop', async () => {
  const stopping = listenForStop()
  stopping.refuseIfTold()
  await stopping.refuseIfToldSoon(1)
})

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`a ${signal} that arrives late still stops the command, and the first signal counts`, async () => {
    const stopping = listenForStop()
    const refused = assert.rejects(
      stopping.refuseIfToldSoon(60_000),
      (error) => error instanceof Stopped && error.exitCode === exitCode,
    )
    process.kill(process.pid, signal)
    await refused
    process.emit('SIGINT')
    assert.throws(
      () => stopping.refuseIfTold(),
      (error) => error instanceof Stopped && error.exitCode === exitCode,
    )
    await stopping.told
  })
}
