import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusals.ts'

type Read = (request: FastifyRequest, bytes: Buffer) => unknown
type ReadSlowly = (request: FastifyRequest, bytes: Buffer) => Promise<unknown>

/** Bodies of this type are read by `read`. Without a body the type does not matter. */
export function addBodies(scope: FastifyInstance, type: string | RegExp, read: Read): void {
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    // Many clients send their usual content type without a body. Where one is needed, its fields will be missed.
    if (bytes.length === 0) return done(null)
    try {
      refuseEncoded(request)
      done(null, read(request, bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** As addBodies, for what can't be read at once. */
export function addSlowBodies(scope: FastifyInstance, type: string, read: ReadSlowly): void {
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return undefined
    refuseEncoded(request)
    return read(request, bytes)
  })
}

/** Fastify's own parsers go, and bodies of all types but those that are added after this are read by `read`. */
export function addOtherBodies(scope: FastifyInstance, read: Read): void {
  scope.removeAllContentTypeParsers()
  addBodies(scope, '*', read)
}

export function wrongType(wanted: string): Refusal {
  return new Refusal('unsupported_media_type', `The request body must be ${wanted}`)
}

/** A compressed body would have to be unpacked before anybody knows how large it is. None of ours is worth it. */
function refuseEncoded(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return
  const message = 'The request body must not be compressed: send it without Content-Encoding'
  throw new Refusal('unsupported_media_type', message, { headers: { 'accept-encoding': 'identity' } })
}

/** Bytes that aren't valid text must not become question marks on a receipt. */
export function readUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8()
  return bytes.toString()
}

export function notUtf8(hint = ''): Refusal {
  return new Refusal('malformed_body', `The request body is not valid UTF-8${hint}`)
}
