import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

// With its style inside, a page is some 25 kB; compressed it fits the first flight of packets, so it is on the
// screen after one round trip. Nothing a stranger chooses is repeated on these pages beside a secret (BREACH).

const compressBytesMin = 1_000
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (!isText || payload.length < compressBytesMin) return done(null, payload)
  void reply.header('vary', 'accept-encoding, accept-language')
  const accepted = request.headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) {
    void reply.header('content-encoding', 'br')
    return brotliCompress(payload, brotli, done)
  }
  if (/\bgzip\b/.test(accepted)) {
    void reply.header('content-encoding', 'gzip')
    return gzip(payload, done)
  }
  done(null, payload)
}
