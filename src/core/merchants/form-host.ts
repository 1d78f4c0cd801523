import { isIPv6 } from 'node:net'

// The hosts of a form key are compared with the host of a parsed return_url. So only a text that the URL parser can give
// as a host is taken: any other would never match.

export const hostRule = 'must be host names such as shop.example.com: no https://, no port, no path, no *'

const hostShape = /^(?:\[[\da-f:.]+\]|[^\s/\\?#@:*[\]]+)$/i

/** The host as a URL parser writes it; undefined when the text is not a host alone. */
export function readHost(text: string): string | undefined {
  const host = isIPv6(text) ? `[${text}]` : text
  if (!hostShape.test(host) || !URL.canParse(`https://${host}`)) return undefined
  const { hostname } = new URL(`https://${host}`)
  // The parser turns %2A into a star, which hostShape could not see.
  return hostname.includes('*') ? undefined : hostname
}
