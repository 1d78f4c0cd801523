// DATEV reads Windows-1252 and no UTF-8. Node decodes it and has no encoder for it.

/** The letters 0x80 to 0x9f, where Windows-1252 differs from Latin-1; five of them are not taken. */
const upper = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at))].map(
    (letter, at) => [letter, 0x80 + at] as const,
  ),
)

/** A letter that it lacks is written without its accent (`ř` as `r`), or else as a question mark. */
export function toWindows1252(text: string): Buffer {
  const bytes: number[] = []
  for (const letter of text.normalize('NFC'))
    bytes.push(byteOf(letter) ?? byteOf(plainLetter(letter)) ?? 0x3f)
  return Buffer.from(bytes)
}

function byteOf(letter: string): number | undefined {
  const code = letter.codePointAt(0) ?? 0
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : upper.get(letter)
}

function plainLetter(letter: string): string {
  return letter.normalize('NFKD').slice(0, 1)
}
