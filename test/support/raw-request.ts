import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

// Bytes on a socket, for requests that no HTTP client would send.

export type RawAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly json: {
    status: string
    message: string
    data: unknown
    code: string
    errors?: Record<string, string[]>
  }
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port) })
}

/** Sends the text as it is and reads until the server ends the connection. */
export async function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const socket = openSocket(url)
  socket.on('error', () => {})
  socket.write(text)
  return readAnswer(socket)
}

export async function readAnswer(socket: Socket): Promise<RawAnswer> {
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  await once(socket, 'close')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const body = rest.join('\r\n\r\n')
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(pairs as [string, string][]),
    body,
    json: body.startsWith('{') ? (JSON.parse(body) as RawAnswer['json']) : ({} as RawAnswer['json']),
  }
}
