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
  /** Hashes of the styles in the page. */
  readonly styles?: readonly string[]
  /** Where a form of the page may be sent or led on to. */
  readonly formAction?: readonly string[]
  /** Origins whose pages may frame this one; none by default. */
  readonly frameAncestors?: readonly string[]
  /** Origins this page may frame; none by default. */
  readonly frames?: readonly string[]
  /** To be looked at and nothing else: nothing runs on it, and no form of it is sent. */
  readonly isInert?: boolean
}

export function pagePolicy(policy: PagePolicy = {}): string {
  const isInert = policy.isInert ?? false
  return [
    "default-src 'none'",
    `style-src ${["'self'", ...(policy.styles ?? [])].join(' ')}`,
    ...(isInert ? [] : ["script-src 'self'", "connect-src 'self'"]),
    "img-src 'self' data:",
    ...(policy.frames?.length ? [`frame-src ${policy.frames.join(' ')}`] : []),
    `form-action ${isInert ? "'none'" : ["'self'", ...(policy.formAction ?? [])].join(' ')}`,
    `frame-ancestors ${policy.frameAncestors?.length ? policy.frameAncestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
    ...(isInert ? ['sandbox'] : []),
  ].join('; ')
}

const year = 31_536_000

/**
 * HSTS only where Florin is reached over HTTPS: on http://localhost it would lock a developer out of plain HTTP. For this
 * host alone: with its subdomains, Florin on shop.example.com would decide for all that the shop runs below it.
 */
export function transportHeaders(baseUrl: string): Record<string, string> {
  return baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${year}` } : {}
}
