import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { makeMetrics } from './metrics.ts'

test('a server’s and the process’s metrics are printed together, with any number of servers', async () => {
  const first = makeMetrics()
  const second = makeMetrics()
  first.counter('florin_only_here', 'Counted by the first.').inc(3)
  assert.match(await first.print(), /^florin_only_here 3$/m)
  assert.doesNotMatch(await second.print(), /florin_only_here/)
  for (const metrics of [first, second]) {
    assert.match(await metrics.print(), /^nodejs_eventloop_lag_p99_seconds /m)
    assert.equal((await metrics.print()).match(/^# HELP process_cpu_user_seconds_total/gm)?.length, 1)
  }
})

test('metrics of a closed server keep nothing of it in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const server = new WeakRef(makeServer())
  // A reference that was just made is kept until the current turn is over.
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  collect()
  assert.equal(server.deref(), undefined)
})

function makeServer(): object {
  const server = { load: 7 }
  makeMetrics().gauge('florin_load', 'Asks the server.', () => server.load)
  return server
}
