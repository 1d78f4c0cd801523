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

/** The URL with parameters added to its query; undefined if it is no http(s) URL. */
export function withParameters(text: string, added: Readonly<Record<string, string>>): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  // As text and not through searchParams, which would rewrite the merchant's own query (`%20` to `+`, `?a` to `?a=`).
  // An existing parameter is replaced: of two with the same name, some programs read the first and some the last.
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !Object.hasOwn(added, parameterName(part)))
  url.search = `?${[...kept, new URLSearchParams(added).toString()].join('&')}`
  return url.href
}

function parameterName(part: string): string {
  // URLSearchParams drops a question mark at the start; behind the ampersand it stays part of the name.
  return [...new URLSearchParams(`&${part}`).keys()][0] ?? ''
}
