import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../../../test/support/free-port.ts'
import { call, testConfig } from '../../../test/support/house.ts'
import { makeLog } from '../../platform/http/log.ts'
import { makeMetrics } from '../../platform/http/metrics.ts'
import { makeServer, type Server } from '../../platform/http/server.ts'
import { openOperatorPort, PortRefused } from './open-port.ts'

function operatorServer(): Server {
  const timeouts = { requestTimeoutMs: 60_000, headerTimeoutMs: 60_000, idleTimeoutMs: 72_000 }
  const connections = { all: 100, perAddress: 100 }
  const rest = {
    baseUrl: 'http://127.0.0.1',
    version: '0.0.1',
    trustedProxies: [],
    log: makeLog('silent'),
    metrics: makeMetrics(),
  }
  const server = makeServer({ ...timeouts, connections, ...rest })
  server.get('/healthz', () => ({ alive: true }))
  return server
}

test('when another process grabs a port at the last moment, the next port is used', async () => {
  const config = testConfig({ METRICS_PORT: String(await freePort()) })
  const server = operatorServer()
  const rival = createServer()
  const late = {
    async listen(at: { host: string; port: number }) {
      if (!rival.listening) await once(rival.listen(at.port, at.host), 'listening')
      return server.listen(at)
    },
  }
  try {
    const port = await openOperatorPort(late, config, true)
    assert.ok(port > config.METRICS_PORT && port < config.METRICS_PORT + 32)
    assert.equal((await call(`http://127.0.0.1:${port}/healthz`)).status, 200)
  } finally {
    await server.close()
    rival.close()
  }
})

test('a server with a fixed port is refused when the port is taken', async () => {
  const config = testConfig({ METRICS_PORT: String(await freePort()) })
  const [first, second] = [operatorServer(), operatorServer()]
  try {
    assert.equal(await openOperatorPort(first, config, false), config.METRICS_PORT)
    await assert.rejects(openOperatorPort(second, config, false), (error: unknown) => {
      return (
        error instanceof PortRefused &&
        /is in use\..* set METRICS_PORT to another port\.$/.test(error.message)
      )
    })
  } finally {
    await first.close()
    await second.close()
  }
})
