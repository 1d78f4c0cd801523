import type { FastifyRequest } from 'fastify'
import { isLoopbackHost, isLoopbackUrl } from '../outbound/addresses.ts'

/**
 * Whether nobody on the way can read the cookies: over HTTPS, or without leaving this machine. A host that browsers name is
 * asked too: BASE_URL is loopback by default also when Florin listens on every address.
 */
export function isPrivateWay(baseUrl: string, request: FastifyRequest): boolean {
  if (new URL(baseUrl).protocol === 'https:') return true
  return isLoopbackUrl(baseUrl) && isLoopbackHost(request.hostname.replace(/^\[|\]$/g, ''))
}
