// Hosts whose pages may frame the checkout, as written in a content policy.

// No character that would end a source or a directive there.
const hostShape = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?$/i
const loopback = /^(?:localhost|127\.0\.0\.1)(?::|$)/i

/** The origins of a host: https, and on the developer's own machine http, too. Undefined when it is no host. */
export function embedOriginsOf(host: string): readonly string[] | undefined {
  if (host.length > 253 || !hostShape.test(host) || !URL.canParse(`https://${host}`)) return undefined
  const secure = `https://${host.toLowerCase()}`
  return loopback.test(host) ? [secure, secure.replace('https:', 'http:')] : [secure]
}
