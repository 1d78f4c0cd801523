import { STATUS_CODES } from 'node:http'
import { Refusal } from '../errors/refusals.ts'
import { failed, jsonType } from './envelope.ts'

// What Node's HTTP parser refuses never reaches Fastify; it still gets the envelope and the headers of every answer.

type BrokenSocket = { writable: boolean; destroyed: boolean; end(text: string): void; destroy(): void }
type Answer = (error: Error & { code?: string }, socket: BrokenSocket) => void

export function makeBrokenRequestAnswer(
  headers: Readonly<Record<string, string>>,
  makeRequestId: () => string,
): Answer {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal = brokenRequest(error.code)
    const body = JSON.stringify(failed(refusal))
    const lines = Object.entries({
      ...headers,
      'x-request-id': makeRequestId(),
      'content-type': jsonType,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`)
    socket.end(
      [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`, ...lines, '', body].join('\r\n'),
    )
  }
}

function brokenRequest(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request_timeout')
  return new Refusal('malformed_body', 'The request is not valid HTTP')
}
