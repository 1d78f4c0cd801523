// DATEV reads Windows-1252 and no UTF-8. Node decodes it and has no encoder for it.

/** The letters 0x80 to 0x9f, where Windows-1252 differs from Latin-1; five of them are not taken. */
const upper = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at))].map(
    (letter, at) => [letter, 0x80 + at] as const,
  ),
)

/** A letter that it lacks is written without its accent (`ř` as `r`), or else as a question mark. */
export function toWindows1252(text: string): Buffer {
  return Buffer.from(
    text.normalize('NFC').replace(/[^\0-\x7f\xa0-\xff]/gu, (letter) => String.fromCharCode(byteOf(letter))),
    'latin1',
  )
}

function byteOf(letter: string): number {
  const plain = letter.normalize('NFKD').codePointAt(0) ?? 0
  return upper.get(letter) ?? (plain < 0x80 ? plain : 0x3f)
}
