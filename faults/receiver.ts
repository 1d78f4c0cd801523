import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openJournal, type ReceivedEntry } from './journal.ts'

// The merchant's server at the other end of a callback_url. It writes down what it got before it says that it did.

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

export type Receiver = {
  readonly url: string
  readonly journal: string
  behave(as: Behaviour): void
  received(): number
  close(): Promise<void>
}

export const thank: Behaviour = (_, response) => void response.writeHead(200).end('ok')

export async function openReceiver(path: string): Promise<Receiver> {
  const journal = openJournal<ReceivedEntry>(path)
  let behaviour = thank
  let received = 0

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await journal.write({
      at: Date.now(),
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
    })
    received += 1
    behaviour(request, response)
  }

  const server = createServer((request, response) => {
    // A sender that was killed hangs up in the middle: nothing was received then.
    take(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ipn`,
    journal: path,
    behave(as) {
      behaviour = as
    },
    received: () => received,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await journal.close()
    },
  }
}
