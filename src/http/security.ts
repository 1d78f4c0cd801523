// Headers of every answer, and of pages. JSON needs no more than these; a page adds its own content policy.

export const everyAnswer: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
}

/** JSON is never a document: a browser that is tricked into showing it may load nothing. */
export const jsonPolicy = "default-src 'none'; frame-ancestors 'none'"

export type PagePolicy = {
  /** Hashes of the styles that stand in the page. */
  readonly styles?: readonly string[]
  /** Where a form of the page may be sent or led on to. */
  readonly formAction?: readonly string[]
  /** Origins whose pages may show this one in a frame; nobody's when left out. */
  readonly frameAncestors?: readonly string[]
  /** The page may show another of this server in a frame. */
  readonly framesOwn?: boolean
}

export function pagePolicy(policy: PagePolicy = {}): string {
  return [
    "default-src 'none'",
    `style-src ${["'self'", ...(policy.styles ?? [])].join(' ')}`,
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...(policy.formAction ?? [])].join(' ')}`,
    `frame-ancestors ${policy.frameAncestors?.length ? policy.frameAncestors.join(' ') : "'none'"}`,
    ...(policy.framesOwn === true ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
  ].join('; ')
}

/**
 * For HTML that was written for another place, such as a mail, in a frame of a page of ours. Nothing in it can run, be sent or
 * be loaded but pictures of this server; opened by itself it is as harmless.
 */
export const framedHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'none'; frame-ancestors 'self'; base-uri 'none'; sandbox",
  'x-frame-options': 'SAMEORIGIN',
  'content-disposition': 'inline',
}

const year = 31_536_000

/**
 * HSTS only where Florin is reached over HTTPS: on http://localhost it would lock a developer out of plain HTTP. For this
 * host alone: with its subdomains, Florin on shop.example.com would decide for all that the shop runs below it.
 */
export function transportHeaders(baseUrl: string): Record<string, string> {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${year}` } : {}
}
