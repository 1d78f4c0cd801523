import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:https'

// A merchant's server, as good or as bad as a test wants it.

export type Received = {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** Resolves with the first `count` of them once they are there. */
  first(count: number): Promise<Received[]>
  close(): Promise<void>
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse, received: Received) => void

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

export async function openReceiver(
  behave: Behaviour = answerWith(200, {}, 'ok'),
  tls?: { key: string; cert: string },
): Promise<Receiver> {
  const received: Received[] = []
  let waiting: { count: number; resolve: (all: Received[]) => void }[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one: Received = {
        at: performance.now(),
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      received.push(one)
      const ready = waiting.filter((each) => each.count <= received.length)
      waiting = waiting.filter((each) => each.count > received.length)
      for (const { count, resolve } of ready) resolve(received.slice(0, count))
      behave(request, response, one)
    })
  }
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.listen(0, '127.0.0.1').unref() // a test that fails before it closes this must still end
  await once(server, 'listening')
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/ipn`,
    received,
    first: async (count) =>
      received.length >= count
        ? received.slice(0, count)
        : new Promise((resolve) => waiting.push({ count, resolve })),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
