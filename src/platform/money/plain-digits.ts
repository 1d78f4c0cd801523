// Digits as people of any script write them, and as phones paste them: Arabic-Indic, Devanagari, full width, in circles.

/** The text with every decimal digit as one of 0 to 9. */
export function withPlainDigits(text: string): string {
  // Nearly all texts are ASCII, or have no other digits.
  // No test: saves the search for digits of other scripts in a text that has none
  if (!/[^\0-\x7f]/.test(text)) return text
  return text.replace(/(?![0-9])\p{Nd}/gu, decimalOf).replace(/\p{No}/gu, signOf)
}

/** Unicode encodes the digits of a script from 0 to 9 without a gap, so a run of digits is made of whole tens. */
function decimalOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

/** A superscript or a circled digit; ½ and ⑫ stay as they are. */
function signOf(sign: string): string {
  const plain = sign.normalize('NFKC')
  return /^[0-9]$/.test(plain) ? plain : sign
}
