const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

// Embeddings, overrides and isolates: they reverse text, or end an isolate that another text began.
const turning = /[\u202a-\u202e\u2066-\u2069]/g
// Soft hyphen, zero-width space, word joiner and its kin, byte order mark. The joiners of Persian and of emoji stay.
const unseen = /[\u00ad\u200b\u2060-\u2064\ufeff]/g

const beyondAscii = /[^\0-\x7f]/

/** Other people's text, safe to show: `evil\u202egnp.exe` must not read as another word, nor reverse ours. */
export function plainText(text: string): string {
  if (!beyondAscii.test(text)) return text // No test: saves time: none of those characters is in it
  return text.replace(turning, '').replace(unseen, '')
}

/**
 * A name within a sentence of the other direction. Between Arabic words `Toys Now!` would come out as `!Toys Now`, and
 * an Arabic name would take an English full stop with it. A name that runs as the sentence does is left as it is.
 */
export function isolate(name: string, direction: 'ltr' | 'rtl'): string {
  const plain = plainText(name)
  return direction === 'rtl' || rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain
}

// `evil.com`, `www.evil.com`, `evil@x.org`; not `J.Smith`, an initial before a capital.
const linkDot = /(?<=[\p{L}\p{N}])\.(?=\p{L}{2})(?<!(?<![\p{L}\p{N}])\p{L}\.(?=\p{Lu}))/gu

/** A name for a mail: many mail programs turn what looks like an address into a link, and a customer chooses their own name. */
export function unlinked(name: string): string {
  return name.replaceAll('://', '[:]//').replace(linkDot, '[.]')
}
