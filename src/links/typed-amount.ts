import { decimalsOf } from '../money/currencies.ts'
import { parseAmount, type ParsedAmount } from '../money/money.ts'

// Amounts as people type them: `12,50`, `1 234.50`, `£5`. Programs write plain decimals, and get parseAmount alone.

/**
 * With a comma or a point before the last digits. `1.000` is a thousand to a German and one to a Briton: nobody guesses,
 * it is refused. So is whatever else could be read in two ways.
 */
export function readTypedAmount(text: string, currency: string): ParsedAmount {
  const plain = [...text.normalize('NFKC')]
    .map(asciiDigit)
    .join('')
    .replace(/[\s\p{Cf}\p{Sc}'’]/gu, '')
  // Arabic writes its own comma and its own separator of thousands.
  const marked = plain.replaceAll('\u066b', '.').replaceAll('\u066c', ',').replaceAll('\u060c', ',')
  const match = /^(\d{1,3}(?:([.,])\d{3}(?:\2\d{3})*)?|\d+)(?:([.,])(\d+))?$/.exec(marked)
  if (!match) return parseAmount('?', currency)
  const [, whole = '', grouping, point, fraction = ''] = match
  const isOneGroup = grouping !== undefined && point === undefined && whole.split(grouping).length === 2
  // Of a dinar there are a thousand parts, so these three digits may be them.
  if (isOneGroup && grouping === '.' && decimalsOf(currency) === 3) return parseAmount(whole, currency)
  const isDoubtful = isOneGroup || (grouping !== undefined && grouping === point)
  if (isDoubtful) return parseAmount('?', currency)
  const digits = (grouping === undefined ? whole : whole.replaceAll(grouping, '')).replace(/^0+(?=\d)/, '')
  return parseAmount(fraction === '' ? digits : `${digits}.${fraction}`, currency)
}

/** Whatever digits a script has. */
function asciiDigit(letter: string): string {
  if (!/\p{Nd}/u.test(letter)) return letter
  const code = letter.codePointAt(0) ?? 0
  let zero = code
  // The ten digits of a script stand in a row, and begin with its zero.
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}
