import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

// HTTP over raw sockets, messages told apart by their length: as little work for the load's side as possible, which
// runs on the same cores as what it measures.

type Message = { readonly head: string; readonly body: string }
export type HttpAnswer = Message & { readonly status: number }

/** A keep-alive connection that sends one request after another. */
export class HttpClient {
  readonly #socket: Socket
  #waiting: ((answer: HttpAnswer) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    readMessages(socket, ({ head, body }) => {
      this.#waiting?.({ status: Number(head.slice(9, 12)), head, body })
    })
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('The server closed the connection')))
  }

  static async open(port: number): Promise<HttpClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new HttpClient(socket)
  }

  async send(request: string | Buffer): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = resolve
      this.#failed = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }
}

/** A server that says 200 to every request, as soon as it has read it. */
export async function listenTo(onBody: (body: string) => void): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    readMessages(socket, ({ body }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      onBody(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function readMessages(socket: Socket, onMessage: (message: Message) => void): void {
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const headEnd = pending.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = pending.toString('latin1', 0, headEnd)
    const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (pending.length < end) return
    const body = pending.toString('utf8', headEnd + 4, end)
    pending = pending.subarray(end)
    onMessage({ head, body })
  })
}

export function httpRequest(
  method: string,
  path: string,
  options: { key?: string; body?: string; type?: string } = {},
): string {
  const { key, body, type = 'application/json' } = options
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: */*']
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}`)
  if (body !== undefined) lines.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
