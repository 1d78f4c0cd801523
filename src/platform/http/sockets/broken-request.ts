import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../errors/refusals.ts'
import { failed, jsonType } from '../envelope.ts'
import { closeSoon } from './close-soon.ts'

// What Node's HTTP parser refuses never reaches Fastify; it still gets the envelope and the default headers.

// Not imported: an import of node:http reads all it exports, and with WebSocket comes Node's own undici, 70 ms of a start.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

type BrokenSocket = Parameters<typeof closeSoon>[0] & { readonly writable: boolean }

export type BrokenRequests = {
  /** For each request whose head was read. */
  seen(request: IncomingMessage, response: ServerResponse): void
  answer(error: Error & { code?: string }, socket: BrokenSocket): void
}

type LastTwo = { readonly latest: ServerResponse; readonly before: ServerResponse | undefined }

export function makeBrokenRequests(
  headers: Readonly<Record<string, string>>,
  makeRequestId: () => string,
): BrokenRequests {
  const answers = new WeakMap<object, LastTwo>()
  const refused = new WeakSet<object>()

  function refuse(socket: BrokenSocket, refusal: Refusal): void {
    if (!socket.writable) return
    const body = JSON.stringify(failed(refusal))
    const lines = Object.entries({
      ...headers,
      'x-request-id': makeRequestId(),
      'content-type': jsonType,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`)
    closeSoon(
      socket,
      [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`, ...lines, '', body].join('\r\n'),
    )
  }

  return {
    seen({ socket }, response) {
      answers.set(socket, { latest: response, before: answers.get(socket)?.latest })
    },
    answer(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
        socket.destroy()
        return
      }
      // More of the same broken request may arrive while earlier answers are being sent: it is refused once.
      if (refused.has(socket)) return
      refused.add(socket)
      // Refused for its head alone, and its body never came or was none: it has had its answer.
      const latest = answers.get(socket)?.latest
      if (latest?.headersSent && !latest.req.complete) return closeSoon(socket)
      const refusal = brokenRequest(error.code)
      const owed = lastOwed(answers.get(socket))
      if (owed) owed.once('close', () => refuse(socket, refusal))
      else refuse(socket, refusal)
    },
  }
}

/**
 * The answer to wait for before the refusal: complete requests that came before on the same connection are answered
 * first, in order, so when the last of them is sent all are. A request whose body is incomplete is the broken one itself.
 */
function lastOwed(last: LastTwo | undefined): ServerResponse | undefined {
  const response = last?.latest.req.complete ? last.latest : last?.before
  return response?.closed === false ? response : undefined
}

function brokenRequest(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request_timeout')
  return new Refusal('malformed_body', 'The request is not valid HTTP')
}
