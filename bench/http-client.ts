import { connect, type Socket } from 'node:net'

// A keep-alive connection that sends one request after another and reads answers by their length: as little work
// for the load's side as possible.

export type HttpAnswer = { readonly status: number; readonly head: string; readonly body: string }

export class HttpClient {
  readonly #socket: Socket
  #pending: Buffer = Buffer.alloc(0)
  #waiting: ((answer: HttpAnswer) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
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

  #read(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const headEnd = this.#pending.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = this.#pending.toString('latin1', 0, headEnd)
    const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#pending.length < end) return
    const body = this.#pending.toString('utf8', headEnd + 4, end)
    this.#pending = this.#pending.subarray(end)
    this.#waiting?.({ status: Number(head.slice(9, 12)), head, body })
  }
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
