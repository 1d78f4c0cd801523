import type { FastifyRequest } from 'fastify'
import { isLoopbackHost, isLoopbackUrl } from '../platform/outbound/addresses.ts'

/**
 * Whether no one on the network can read the cookies: HTTPS, or loopback. Checks the request's host too, because BASE_URL is
 * loopback by default even when Florin listens on every address.
 */
export function isPrivateWay(baseUrl: string, request: FastifyRequest): boolean {
  if (new URL(baseUrl).protocol === 'https:') return true
  return isLoopbackUrl(baseUrl) && isLoopbackHost(request.hostname.replace(/^\[|\]$/g, ''))
}
