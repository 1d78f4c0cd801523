import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

export type Headers = Readonly<Record<string, string>>

/** For all answers of the server. They are set first, so that what a hook or a route sets counts instead. */
export function addHeaders(server: FastifyInstance, headers: Headers): void {
  let isStopping = false
  server.addHook('preClose', (done) => {
    isStopping = true
    done()
  })
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  server.addHook('onSend', (_, reply, payload, done) => {
    // A client whose request finishes while we stop must not send its next one on the same connection.
    if (isStopping) void reply.header('connection', 'close')
    done(null, payload)
  })
}

export type Text = {
  readonly status?: number
  readonly type: string
  readonly body: string | Buffer
  readonly headers?: Headers
}

export function sendText(
  reply: FastifyReply,
  { status = 200, type, body, headers = {} }: Text,
): FastifyReply {
  return reply.code(status).headers(headers).type(type).send(body)
}

// With its style inside, a page is some 25 kB; compressed it fits the first flight of packets, so it is on the
// screen after one round trip. Nothing a stranger chooses is repeated on these pages beside a secret (BREACH).

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export const compressible: Headers = { vary: 'accept-encoding, accept-language' }

/** As sendText, in the fewest bytes that the client can read. Its headers are to hold those of `compressible`. */
export function sendCompressed(reply: FastifyReply, text: Text): FastifyReply {
  const accepted = reply.request.headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) brotliCompress(text.body, brotli, sendEncoded(reply, text, 'br'))
  else if (/\bgzip\b/.test(accepted)) gzip(text.body, sendEncoded(reply, text, 'gzip'))
  else sendText(reply, text)
  return reply
}

function sendEncoded(reply: FastifyReply, text: Text, encoding: string) {
  return (error: Error | null, body: Buffer): void => {
    if (error) void reply.send(error)
    else sendText(reply, { ...text, body, headers: { ...text.headers, 'content-encoding': encoding } })
  }
}
