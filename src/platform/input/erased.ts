// What replaces an erased person, and how a person is removed from a text.

/** No mail server will ever answer for .invalid (RFC 2606), and Florin writes to it neither. */
export const erasedEmail = 'erased@florin.invalid'
export const erasedName = 'erased'

/** It can't be registered (RFC 2606). With only the name replaced, a host could belong to a stranger. */
const erasedHost = 'erased.invalid'

export type Redact = (text: string) => string

/** Removes an address and names from texts, in any case, also percent-encoded in part or whole. Whole words only. */
export function makeRedact(email: string, names: readonly string[]): Redact {
  const words = [[email, erasedEmail] as const, ...names.map((name) => [name, erasedName] as const)]
    .filter(([word]) => word.trim() !== '')
    // "Ada Lovelace" before "Ada".
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([word, by]) => [wholeWord(word), by] as const)
  return (text) => words.reduce((left, [pattern, by]) => left.replaceAll(pattern, by), text)
}

/** The same for a URL that may still be called. A host that names the person is replaced as a whole. */
export function redactUrl(url: string, redact: Redact): string {
  const end = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0
  const origin = url.slice(0, end)
  return (redact(origin) === origin ? origin : `https://${erasedHost}`) + redact(url.slice(end))
}

/** A word as JavaScript and PostgreSQL find it, ignoring case: each character as it is or percent-encoded, up to four times over. */
export function spellings(word: string): string {
  return Array.from(word, (character) => {
    const plain = character.replace(/[\^$.*+?()[\]{}|/]/, '\\$&')
    const cases = new Set([character, character.toLowerCase(), character.toUpperCase()])
    const encoded = Array.from(cases, (one) =>
      Array.from(Buffer.from(one), (byte) => `${percent}${byte.toString(16).padStart(2, '0')}`).join(''),
    )
    return `(?:${[plain, ...(character === ' ' ? ['\\+'] : []), ...encoded].join('|')})`
  }).join('')
}

const percent = '%(?:25){0,3}'

/** A percent-encoded character may be just before the word: its last digit isn't part of a word. */
function wholeWord(word: string): RegExp {
  const start = `(?<=^|[^\\p{L}\\p{N}]|${percent}[0-9a-f]{2})`
  return new RegExp(`${start}${spellings(word)}(?![\\p{L}\\p{N}])`, 'giu')
}

/** Values that programs read, whatever a customer is called. */
const machineKeys = new Set(
  'event status state currency mode type tx_ref txRef refund_ref refundRef reference id template language network brand last4'.split(
    ' ',
  ),
)

type Context = { readonly source?: string }
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object }

/** The same for JSON. Numbers stay as they are written; what a merchant put into `meta` goes as a whole. */
export function redactJson(text: string, redact: Redact): string {
  const revive = (key: string, value: unknown, { source }: Context): unknown => {
    if (key === 'meta') return null
    if (typeof value === 'number') return rawJSON(source ?? String(value))
    return typeof value === 'string' && !machineKeys.has(key) ? redact(value) : value
  }
  try {
    return JSON.stringify(JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]))
  } catch {
    return redact(text)
  }
}
