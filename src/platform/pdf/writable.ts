// Which texts the fonts can write. Names in other scripts (Chinese, Hebrew, Thai …) would need fonts of megabytes.

const spaces = /[\u2000-\u200a\u205f]/g
// The joiners of Persian and the marks that steer directions stay: they are not seen, and they count.
const unseen = /[\u200b\u00ad\u202a-\u202e\u2060-\u2064]|\ufe0e|\ufe0f|\ufeff/g

// Emoji, their skin tones and keycaps, and the regional letters that make flags. Signs such as © are no emoji by themselves.
const picture =
  /(?![\u0023\u002a\u0030-\u0039\u00a9\u00ae\u2122])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]\u200d?/gu

const known =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]*$/u

/** The text without what is not written; empty when it is in a script that the fonts do not have. */
export function writable(text: string): string {
  const plain = text.normalize('NFC').replace(spaces, ' ').replace(unseen, '').replace(picture, '')
  if (!known.test(plain)) return ''
  return plain.replace(/ {2,}/g, ' ').trim()
}
