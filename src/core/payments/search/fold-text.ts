import { withPlainDigits } from '../../../platform/money/plain-digits.ts'

// Letters that Unicode doesn't take apart into a plain letter and an accent.
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
}

/** Accents of Latin, Greek and Cyrillic letters, and the vowel points of Arabic and Hebrew, which few people type. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]/g

/** The same for "García", "GARCIA" and "garcia": what is stored for search and what is typed are compared like this. */
export function foldText(text: string): string {
  // No test: saves most of the time, as most texts are ASCII
  if (/^[!-~]+(?: [!-~]+)*$/.test(text)) return text.toLowerCase()
  const plain = withPlainDigits(text.toWellFormed().normalize('NFKD'))
    .replaceAll(accents, '')
    .toLowerCase()
    .replaceAll(accents, '')
    .replaceAll(/[ßæœøłđðþħıŋ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
  return plain.normalize('NFC').trim()
}
