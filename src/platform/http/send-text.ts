import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { jsonType } from './envelope.ts'
import { finishEnvelope } from './envelope-status.ts'

// Headers of every answer, and the short way out for the answers that are asked for most: transactions, links and
// pages. Fastify's own way keeps headers one by one, asks hooks and looks at what it is given: 74 µs for an empty answer
// that an earlier form of this one sent in 67, and bare node:http in 56.

export type Headers = Readonly<Record<string, string>>

type Every = { readonly headers: Headers; isStopping: boolean }

const every = Symbol('headers of every answer')
const sent = Symbol('JSON that was sent')

declare module 'fastify' {
  interface FastifyInstance {
    readonly [every]?: Every
  }
  interface FastifyReply {
    [sent]: string | undefined
  }
}

/** For all answers of the server, however they are sent. What a hook or a route sets counts instead. */
export function addHeaders(server: FastifyInstance, headers: Headers): void {
  const mine: Every = { headers, isStopping: false }
  server.decorate(every, mine)
  server.decorateReply(sent, undefined) // No test: Fastify would add the field later
  server.addHook('preClose', (done) => {
    mine.isStopping = true
    done()
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    void reply.headers({ ...headers, 'x-request-id': request.id, ...reply.getHeaders() })
    // A client whose request finishes while we stop must not send its next one on the same connection.
    if (mine.isStopping) void reply.header('connection', 'close')
    const isJson = typeof payload === 'string' && reply.getHeader('content-type') === jsonType
    if (!isJson) return done(null, payload)
    reply[sent] = finishEnvelope(request, reply.statusCode, payload)
    done(null, reply[sent])
  })
}

export type Text = {
  readonly status?: number
  readonly type: string
  readonly body: string | Buffer
  /** Says that every letter of the body is one byte, so that they need not be counted. */
  readonly isAscii?: boolean
  /** An empty value removes a default header. */
  readonly headers?: Headers
}

export function sendText(
  reply: FastifyReply,
  { status = 200, type, body: whole, headers, isAscii = false }: Text,
): FastifyReply {
  const isJson = type === jsonType && typeof whole === 'string'
  const body = isJson ? finishEnvelope(reply.request, status, whole) : whole
  const { [every]: mine } = reply.server
  const head: OutgoingHttpHeaders = {
    ...mine?.headers,
    'x-request-id': reply.request.id,
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...headers,
    'content-type': type,
    'content-length': isAscii ? body.length : Buffer.byteLength(body),
    ...(mine?.isStopping === true && { connection: 'close' }),
  }
  for (const name in head) if (head[name] === '') delete head[name]
  if (isJson) reply[sent] = body as string
  reply.hijack() // No test: Fastify treats an ended answer as sent
  reply.raw.writeHead(status, head).end(body, isAscii ? 'latin1' : 'utf8')
  return reply
}

/** The response's text, if it was JSON. */
export function sentText(reply: FastifyReply): string | undefined {
  return reply[sent]
}

// With its style inside, a page is some 25 kB; compressed it fits the first flight of packets, so it is on the
// screen after one round trip. Nothing a stranger chooses is repeated on these pages beside a secret (BREACH).

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export const compressible: Headers = { vary: 'accept-encoding, accept-language' }

const asSmallAsPossible = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** For a text that stays the same: compressed once, so that a tenth of a second may be spent to make it a twelfth smaller. */
export function sendsConstant(text: Text): (reply: FastifyReply) => Promise<FastifyReply> {
  let compressed: Promise<Buffer> | undefined
  return async (reply) => {
    if (!takesBrotli(reply)) return sendCompressed(reply, text)
    compressed ??= promisify(brotliCompress)(text.body, asSmallAsPossible)
    sendEncoded(reply, text, 'br')(null, await compressed)
    return reply
  }
}

function takesBrotli({ request }: FastifyReply): boolean {
  return /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
}

/** As sendText, in the fewest bytes that the client can read. Its headers are to hold those of `compressible`. */
export function sendCompressed(reply: FastifyReply, text: Text): FastifyReply {
  const accepted = reply.request.headers['accept-encoding'] ?? ''
  if (takesBrotli(reply)) brotliCompress(text.body, brotli, sendEncoded(reply, text, 'br'))
  else if (/\bgzip\b/.test(accepted)) gzip(text.body, sendEncoded(reply, text, 'gzip'))
  else sendText(reply, text)
  return reply
}

function sendEncoded(reply: FastifyReply, text: Text, encoding: string) {
  return (error: Error | null, body: Buffer): void => {
    if (error) void reply.send(error) // No test: compressing a string in memory never fails
    else sendText(reply, { ...text, body, headers: { ...text.headers, 'content-encoding': encoding } })
  }
}
