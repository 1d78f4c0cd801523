import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

// With its style inside, a page is some 25 kB; compressed it fits the first flight of packets, so it is on the
// screen after one round trip. Nothing a stranger chooses is repeated on these pages beside a secret (BREACH).

const compressBytesMin = 1_000
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export async function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < compressBytesMin) return payload
  void reply.header('vary', 'accept-encoding, accept-language')
  const accepted = request.headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) {
    void reply.header('content-encoding', 'br')
    return toBrotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  }
  if (/\bgzip\b/.test(accepted)) {
    void reply.header('content-encoding', 'gzip')
    return toGzip(payload)
  }
  return payload
}
