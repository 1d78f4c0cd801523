import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors/refusals.ts'

/** Refuses bodies of all types but those that are added after this. Without a body the type does not matter. */
export function refuseOthers(scope: FastifyInstance, wanted: string): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null)
    done(new Refusal('unsupported_media_type', `The request body must be ${wanted}`))
  })
}

/** Bytes that are no text must not become question marks on somebody's receipt. */
export function readUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8()
  return bytes.toString()
}

export function notUtf8(hint = ''): Refusal {
  return new Refusal('malformed_body', `The request body is not valid UTF-8${hint}`)
}
