import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { makeIsTrusted } from './sockets/trusted-proxies.ts'

// One name for a request in its answer, in our log and in the log of the proxy before us.

// Unique, not secret: a random word for this process and a count.
const processWord = randomBytes(9).toString('base64url')
let requestCount = 0

export function makeRequestId(): string {
  requestCount += 1
  return `req_${processWord}${requestCount.toString(36)}`
}

// Written into the log as it is, so nothing that could end a string there.
const wellFormed = /^[\w.:/+=-]{8,128}$/

/** Takes the id that a trusted proxy gave, if it is one. Everybody else could send us what they like. */
export function makeRequestIds(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = makeIsTrusted(trustedProxies)
  return ({ headers, socket }) => {
    const given = headers['x-request-id']
    if (typeof given !== 'string' || !wellFormed.test(given)) return makeRequestId()
    return isTrusted(socket.remoteAddress) ? given : makeRequestId()
  }
}
