import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Site } from './people/factors/passkeys.ts'

/**
 * The relying party for passkeys: the host of BASE_URL. Browsers need a host name: 127.0.0.1 doesn't work, localhost
 * does.
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
