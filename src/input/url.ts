// The rules for every URL that a caller sends us.

export const urlLengthMax = 2_000
const hostLengthMax = 253

/** The rule that a URL breaks, without its subject. */
export function urlMistake(text: string, rules: { httpsOnly?: boolean } = {}): string | undefined {
  const url = URL.parse(text)
  const isAbsolute = /^https?:\/\/[^/\\]/i.test(text)
  if (!url || !isAbsolute || /\s/.test(text)) return 'must be an absolute http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  // The limit of the DNS, on the encoded name: `münchen` counts as `xn--mnchen-3ya`.
  if (url.hostname.length > hostLengthMax) return `must have a host of at most ${hostLengthMax} characters`
  if (rules.httpsOnly === true && url.protocol !== 'https:') return 'must use https in live mode'
  return undefined
}
