import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { Stopped } from './stopped.ts'
import { listenForStop } from './stopping.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
afterEach(() => {
  for (const signal of signals) process.removeAllListeners(signal)
})

test('nobody is stopped without having been told', async () => {
  const stopping = listenForStop()
  stopping.refuseIfTold()
  await stopping.refuseIfToldSoon(1)
})

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`a ${signal} that is heard after what it ended is heard all the same, and the first one counts`, async () => {
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
