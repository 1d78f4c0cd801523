import { decimalsOf } from './currencies.ts'
import { parseAmount, type ParsedAmount } from './money.ts'
import { withPlainDigits } from './plain-digits.ts'

// Amounts as people type them: `12,50`, `1 234.50`, `£5`. Programs write plain decimals, and get parseAmount alone.

/**
 * With a comma or a point before the last digits. `1.000` is a thousand to a German and one to a Briton: we don't
 * guess, it is refused. So is anything else that could be read in two ways.
 */
export function readTypedAmount(text: string, currency: string): ParsedAmount {
  const plain = withPlainDigits(text.normalize('NFKC')).replace(/[\s\p{Cf}\p{Sc}'’]/gu, '')
  // Arabic writes its own comma and its own separator of thousands.
  const marked = plain.replaceAll('\u066b', '.').replaceAll('\u066c', ',').replaceAll('\u060c', ',')
  // Thousands never begin with a zero, so 0.500 is a half.
  const match = /^([1-9]\d{0,2}(?:([.,])\d{3}(?:\2\d{3})*)?|\d+)(?:([.,])(\d+))?$/.exec(marked)
  if (!match) return parseAmount('?', currency)
  const [, whole = '', grouping, point, fraction = ''] = match
  const isOneGroup = grouping !== undefined && point === undefined && whole.split(grouping).length === 2
  // A dinar has a thousand parts, so these three digits may be decimals.
  if (isOneGroup && grouping === '.' && decimalsOf(currency) === 3) return parseAmount(whole, currency)
  const isDoubtful = isOneGroup || (grouping !== undefined && grouping === point)
  if (isDoubtful) return parseAmount('?', currency)
  const digits = (grouping === undefined ? whole : whole.replaceAll(grouping, '')).replace(/^0+(?=\d)/, '')
  return parseAmount(fraction === '' ? digits : `${digits}.${fraction}`, currency)
}
