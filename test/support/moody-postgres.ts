import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

// A proxy before PostgreSQL that refuses connections as a starting PostgreSQL does, in the test's order.

export type Mood =
  /** An error with this code and message, and the end of the connection. */
  | { readonly code: string; readonly message: string }
  /** The connection just ends, as when the postmaster dies. */
  | 'cut'
  | 'answers'

export type MoodyPostgres = { readonly url: string; readonly left: () => number; close(): Promise<void> }

/** One mood for each connection; after the last one everything passes. */
export async function openMoodyPostgres(serverUrl: string, moods: readonly Mood[]): Promise<MoodyPostgres> {
  const url = new URL(serverUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const next = [...moods]
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    const mood = next.shift() ?? 'answers'
    if (mood === 'answers') {
      const far = connect(target)
      keep(far)
      near.pipe(far).on('close', () => near.destroy())
      far.pipe(near).on('close', () => far.destroy())
    } else near.once('data', () => near.end(mood === 'cut' ? '' : refusal(mood)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    left: () => next.length,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** ErrorResponse of PostgreSQL's protocol. */
function refusal({ code, message }: { code: string; message: string }): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
