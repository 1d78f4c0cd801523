// What replaces an erased person, and how a person is removed from a text.

/** No mail server will ever answer for .invalid (RFC 2606), and Florin writes to it neither. */
export const erasedEmail = 'erased@florin.invalid'
export const erasedName = 'erased'

export type Redact = (text: string) => string

/** Removes an address and names from texts, in any case, also inside URLs. Whole words only. */
export function makeRedact(email: string, names: readonly string[]): Redact {
  const words = [
    ...variants(email).map((word) => [word, erasedEmail] as const),
    ...names.flatMap(variants).map((word) => [word, erasedName] as const),
  ]
    .filter(([word]) => word.trim() !== '')
    // "Ada Lovelace" before "Ada".
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([word, by]) => [wholeWord(word), by] as const)
  return (text) => words.reduce((left, [pattern, by]) => left.replaceAll(pattern, by), text)
}

function variants(word: string): string[] {
  const encoded = encodeURIComponent(word)
  return [...new Set([word, encoded, encoded.replaceAll('%20', '+')])]
}

function wholeWord(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word)}(?![\\p{L}\\p{N}])`, 'giu')
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
