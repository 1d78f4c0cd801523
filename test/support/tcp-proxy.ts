import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

// Stands between a client and a server, to cut their connections or to fall silent, as a network does.

export type TcpProxy = {
  /** The same address, through the proxy. */
  readonly url: string
  /** Nothing passes any more, and nobody is told. */
  silence(): void
  /** What was held back passes, and everything after it. */
  restore(): void
  /** All connections end; new ones are made as before. */
  cut(): void
  close(): Promise<void>
}

export async function openTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const url = new URL(serverUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let silent = false

  const server = createServer((near) => {
    const far = connect(target)
    for (const socket of [near, far]) {
      sockets.add(socket)
      if (silent) socket.pause()
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    near.on('data', (part) => far.write(part)).on('close', () => far.destroy())
    far.on('data', (part) => near.write(part)).on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.port = String((server.address() as AddressInfo).port)

  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    silence() {
      silent = true
      for (const socket of sockets) socket.pause()
    },
    restore() {
      silent = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
