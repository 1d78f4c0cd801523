import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { cert, key } from '../test/support/certificate.ts'
import { openJournal, type ReceivedEntry } from './journal.ts'

// The merchant's server at the other end of a callback_url, with TLS and without. It writes down what it got before it
// says that it did.

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void
/** What is done with a connection in the place of TLS. */
export type Handshake = (socket: Socket) => void

export type Receiver = {
  readonly url: string
  readonly secureUrl: string
  readonly journal: string
  behave(as: Behaviour): void
  /** Undefined: properly again. */
  greet(as: Handshake | undefined): void
  received(): number
  receivedSecurely(): number
  /** Connections that never came as far as a request. */
  greeted(): number
  close(): Promise<void>
}

export const thank: Behaviour = (_, response) => void response.writeHead(200).end('ok')

export async function openReceiver(path: string): Promise<Receiver> {
  const journal = openJournal<ReceivedEntry>(path)
  let behaviour = thank
  let handshake: Handshake | undefined
  let received = 0
  let receivedSecurely = 0
  let greeted = 0

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await journal.write({
      at: Date.now(),
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
    })
    received += 1
    if (request.socket instanceof TLSSocket) receivedSecurely += 1
    behaviour(request, response)
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A sender that was killed hangs up in the middle: nothing was received then.
    take(request, response).catch(() => response.destroy())
  }
  const plain = createServer(listener)
  const secure = createSecureServer({ cert, key }, listener)
  const sockets = new Set<Socket>()
  const door = createRawServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (handshake) {
      greeted += 1
      handshake(socket)
    } else {
      secure.emit('connection', socket)
    }
  })
  return {
    url: `http://127.0.0.1:${await portOf(plain)}/ipn`,
    secureUrl: `https://127.0.0.1:${await portOf(door)}/ipn`,
    journal: path,
    behave(as) {
      behaviour = as
    },
    greet(as) {
      handshake = as
      // A connection that was greeted well is used again: only a new one meets the new manners.
      for (const socket of sockets) socket.destroy()
    },
    received: () => received,
    receivedSecurely: () => receivedSecurely,
    greeted: () => greeted,
    async close() {
      plain.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      for (const server of [plain, door]) {
        server.close()
        await once(server, 'close')
      }
      await journal.close()
    },
  }
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
