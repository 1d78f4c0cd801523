import type { TestContext } from 'node:test'
import { makeLog } from '../../src/platform/http/log.ts'
import { makeMetrics } from '../../src/platform/http/metrics.ts'
import { makeServer, type Server, type ServerOptions } from '../../src/platform/http/server.ts'

export type BareServer = {
  readonly server: Server
  /** What was logged so far, one JSON object each. */
  readonly lines: readonly string[]
  /** What a scraper would be sent of one figure. */
  readonly figures: (name: string) => Promise<string[]>
}

/** The server that rooms add their routes to, with no room, no database and no port. It closes with the test. */
export function makeBareServer(
  t: Pick<TestContext, 'after'>,
  changed: Partial<ServerOptions> = {},
): BareServer {
  const lines: string[] = []
  const metrics = makeMetrics()
  const server = makeServer({
    log: makeLog('info', { write: (line: string) => void lines.push(line) }),
    metrics,
    baseUrl: 'http://127.0.0.1:3000',
    version: '0.0.1',
    requestTimeoutMs: 60_000,
    headerTimeoutMs: 60_000,
    idleTimeoutMs: 72_000,
    connections: { all: 100, perAddress: 100 },
    trustedProxies: [],
    ...changed,
  })
  t.after(() => server.close())
  return {
    server,
    lines,
    figures: async (name) => (await metrics.print()).split('\n').filter((line) => line.startsWith(name)),
  }
}
