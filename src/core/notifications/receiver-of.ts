import { Refusal } from '../../platform/errors/refusals.ts'

// Whether a receiver works is judged per URL: of two programs on one host, one may be dead while the other takes everything.
// Many shops write the order into the query of a callback_url, so it is left out. An endpoint is judged by its whole URL.
// The column is called `origin` and holds origins alone in rows from before 0048: to the queue it is but a name.

const hostMax = 253
/** PostgreSQL indexes values of up to 2,704 bytes. */
const receiverMax = 1_000

/** Empty if there is no URL, or an impossible one: payments once accepted longer hosts. */
export function receiverOf(callbackUrl: string | null): string {
  if (callbackUrl === null) return ''
  const { origin, hostname, pathname } = new URL(callbackUrl)
  return hostname.length > hostMax ? '' : `${origin}${pathname}`.slice(0, receiverMax)
}

/** For places that are never changed or can't be found again. `florin notifications resume` takes a bare host as well. */
export function withoutAddress(url: string): string {
  return /@|%(?:25){0,3}40/.test(url) ? `${new URL(url).origin}/` : url
}

/** The same for a text. */
export function withoutAddresses(text: string): string {
  return text
    .split(' ')
    .map((word) => (word.includes('@') ? '…' : word))
    .join(' ')
}

/** Which receivers a person means by a URL: the one it names, or, by a bare host, all that are there. */
export type MeantReceivers = { readonly names: readonly string[]; readonly below: string | null }

/** The one of this name. */
export function exactly(receiver: string): MeantReceivers {
  return { names: [receiver], below: null }
}

export function receiversMeant(url: string): MeantReceivers {
  const { origin, href, pathname, search } = new URL(url)
  return pathname === '/' && search === ''
    ? { names: [origin, href], below: `${origin}/` }
    : { names: [...new Set([href, receiverOf(url)])], below: null }
}

/** Refuses when none of them is meant. */
export function meantAmong(paused: readonly string[], url: string): string[] {
  const meant = receiversMeant(url)
  const { origin } = new URL(url)
  // Before receivers were distinguished by URL, a whole host was paused.
  const found = paused.filter((receiver) => isMeant(meant, receiver) || receiver === origin)
  if (found.length === 0) throw new Refusal('not_found', `${meant.names[0]} is not paused`)
  return found
}

function isMeant({ names, below }: MeantReceivers, receiver: string): boolean {
  return names.includes(receiver) || (below !== null && receiver.startsWith(below))
}
