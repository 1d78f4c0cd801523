import { isIPv6 } from 'node:net'

// A form key is bound to hosts as they stand in a parsed return_url. What a parser never gives can never match.

export const hostRule = 'must be host names such as shop.example.com: no https://, no port, no path, no *'

const hostShape = /^(?:\[[\da-f:.]+\]|[^\s/\\?#@:*[\]]+)$/i

/** The host as a URL parser writes it; undefined when the text is not a host alone. */
export function readHost(text: string): string | undefined {
  const host = isIPv6(text) ? `[${text}]` : text
  if (!hostShape.test(host) || !URL.canParse(`https://${host}`)) return undefined
  const { hostname } = new URL(`https://${host}`)
  // %2A is read as a star.
  return hostname.includes('*') ? undefined : hostname
}
