import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/errors/refusals.ts'

// CSRF protection: a token that only our own page has, and the browser's Origin and Sec-Fetch-Site headers.

/** Derived from the cookie, so it needs no table and ends with it. */
export function tokenFor(cookie: string): string {
  return createHmac('sha256', cookie).update('form').digest('base64url')
}

export function refuseForeignForm(
  request: FastifyRequest,
  baseUrl: string,
  token: string,
  given: string | undefined,
): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const isForeignOrigin =
    origin !== undefined && origin !== new URL(baseUrl).origin && hostOf(origin) !== host
  if (isForeignSite || isForeignOrigin || !isSame(token, given ?? '')) throw new Refusal('form_refused')
}

/** Behind a proxy the host is BASE_URL's; on a developer's machine it may be localhost. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

function isSame(right: string, given: string): boolean {
  const one = Buffer.from(right)
  const other = Buffer.from(given)
  return one.length === other.length && timingSafeEqual(one, other)
}
