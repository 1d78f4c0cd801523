import type { FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from '../errors/refusals.ts'

// All known paths: for the answers to unknown ones, and for those only written oddly. A BASE_URL that ends in a slash
// makes `//api/payment` of every call, and some clients put a slash after each path.

type Pattern = { readonly method: string; readonly url: string; readonly matches: RegExp }

export type KnownPaths = {
  readonly all: readonly Pattern[]
  add(route: RouteOptions): void
  /** The path without its extra slashes, if that is one of ours and the original isn't. */
  tidy(method: string, url: string): string
  /** Where a reader is sent: a page and its links should have one address. What writes is served where it came. */
  movedTo(request: FastifyRequest): string | undefined
  nothingAt(request: FastifyRequest): Refusal
}

export function makeKnownPaths(): KnownPaths {
  const all: Pattern[] = []

  function methodsAt(path: string): string[] {
    return all.filter((pattern) => pattern.matches.test(path)).map((pattern) => pattern.method)
  }

  return {
    all,
    add(route) {
      for (const method of [route.method].flat()) {
        all.push({ method, url: route.url, matches: asPattern(route.url) })
      }
    },
    tidy(method, url) {
      if (!mayHaveExtraSlashes(url)) return url
      const [path, query] = splitAtQuery(url)
      // A wildcard matches everything that no other route takes.
      const isAt = (place: string): boolean =>
        all.some((one) => one.method === method && !one.url.includes('*') && one.matches.test(place))
      const tidied = withoutExtraSlashes(path)
      return tidied === path || isAt(path) || !isAt(tidied) ? url : tidied + query
    },
    movedTo({ raw }) {
      // Fastify keeps it there; its own getter makes the request object another one, which slows all that follow.
      const { originalUrl } = raw as typeof raw & { readonly originalUrl?: string }
      if (raw.url === originalUrl || (raw.method !== 'GET' && raw.method !== 'HEAD')) return undefined
      return raw.url
    },
    nothingAt(request) {
      const [path] = splitAtQuery(request.url)
      const here = methodsAt(path)
      const allowed = here.length > 0 ? here : methodsAt(withoutExtraSlashes(path))
      if (allowed.length === 0) return new Refusal('not_found', 'Nothing exists at this URL: see /docs')
      const list = [...new Set(allowed)].join(', ')
      return new Refusal('method_not_allowed', `${request.method} is not allowed here, use ${list}`, {
        headers: { allow: list },
      })
    },
  }
}

/** Cheap, as it is asked of every request: nearly none has any. */
function mayHaveExtraSlashes(url: string): boolean {
  return url.includes('//') || url.endsWith('/') || url.includes('/?')
}

function withoutExtraSlashes(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
}

function splitAtQuery(url: string): [string, string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

function asPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]*' : part === '*' ? '.*' : RegExp.escape(part)))
    .join('/')
  return new RegExp(`^${source}$`)
}
