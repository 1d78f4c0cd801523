import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Site } from '../people/factors/passkeys.ts'

/**
 * Who we are to a passkey: the host of BASE_URL. Browsers make passkeys for names and not for addresses such as
 * 127.0.0.1; who opens the same machine as localhost can have them.
 */
export function siteOf(baseUrl: string, request: FastifyRequest): Site | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isPlain = protocol === 'http:'
  if (hostname === 'localhost' || (!isPlain && isIP(hostname.replace(/[[\]]/g, '')) === 0))
    return { host: hostname, origin }
  const { host = '' } = request.headers
  return isPlain && /^localhost(:\d+)?$/.test(host)
    ? { host: 'localhost', origin: `http://${host}` }
    : undefined
}
