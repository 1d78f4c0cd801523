import type { FastifyRequest } from 'fastify'
import { longestMs } from './people/sessions/sessions.ts'

// Our cookies. Over HTTPS their names start with __Host-, so no other host, path or plain connection can set them. On plain
// loopback that isn't possible, and their names contain the port: cookies ignore ports, and a developer may run two Florins.

export type CookieName = 'session' | 'visit' | 'device' | 'notice' | 'flow' | 'start'

export type Cookies = {
  read(request: FastifyRequest, name: CookieName): string | undefined
  write(name: CookieName, value: string): string
  clear(name: CookieName): string
}

const yearSeconds = 365 * 24 * 3_600

const seconds: Readonly<Record<CookieName, number>> = {
  session: longestMs / 1000,
  visit: 24 * 3_600,
  device: yearSeconds,
  notice: 60,
  flow: 600,
  start: yearSeconds,
}

export function makeCookies(baseUrl: string): Cookies {
  const { protocol, port } = new URL(baseUrl)
  const isSecure = protocol === 'https:'
  const start = isSecure ? '__Host-florin' : `florin-${port || '80'}`
  const kind = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: (request, name) => readCookie(request.headers.cookie, `${start}-${name}`),
    write: (name, value) => `${start}-${name}=${value}; Max-Age=${seconds[name]}; ${kind}`,
    clear: (name) => `${start}-${name}=; Max-Age=0; ${kind}`,
  }
}

/** Undefined if the cookie is missing, or present twice: another site may have set one of them. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
  return found.length === 1 && /^[\w.-]{1,900}$/.test(found[0] ?? '') ? found[0] : undefined
}
