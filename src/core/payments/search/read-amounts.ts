import { isCurrency } from '../../../platform/money/currencies.ts'
import { withPlainDigits } from '../../../platform/money/plain-digits.ts'
import { amountTerms, shortAmount } from './grams.ts'

// Amounts as people type and paste them: "12.34", "£12.34", "12,34 EUR", "1,234.50". `1.234` is a thousand to a German
// and a bit more than one to a Briton: a search looks for both.

const signs: Readonly<Record<string, readonly string[]>> = {
  '£': ['GBP', 'EGP'],
  '€': ['EUR'],
  $: ['USD', 'AUD', 'CAD', 'NZD', 'HKD', 'SGD', 'TWD', 'MXN', 'ARS', 'CLP', 'COP'],
  '¥': ['JPY', 'CNY'],
  '₹': ['INR'],
  '₩': ['KRW'],
  '₽': ['RUB'],
  '₺': ['TRY'],
  '₦': ['NGN'],
  '₱': ['PHP'],
  '฿': ['THB'],
  '₫': ['VND'],
  '₪': ['ILS'],
  '₴': ['UAH'],
  '₡': ['CRC'],
  '₵': ['GHS'],
}

const shape = /^(\p{Sc}|[a-z]{3})?(\d[\d.,'’]*)(\p{Sc}|[a-z]{3})?$/iu
const digitsMax = 15

/** The terms of amounts that a text may be; none if it is no amount. */
export function readAmounts(text: string): string[] {
  const plain = withPlainDigits(text.normalize('NFKC')).replaceAll(/\s/g, '')
  const marked = plain.replaceAll('\u066b', '.').replaceAll('\u066c', ',')
  const [, before, figures = '', after] = shape.exec(marked) ?? []
  const amounts = amountsIn(figures.replaceAll(/['’]/g, ''))
  const currency = before ?? after
  const currencies = currency === undefined ? [] : currenciesOf(currency)
  if (!currencies) return []
  return amounts.flatMap((amount) => amountTerms(amount, currencies))
}

function currenciesOf(text: string): readonly string[] | undefined {
  const code = text.toUpperCase()
  return isCurrency(code) ? [code] : signs[text]
}

function amountsIn(figures: string): string[] {
  if (figures === '' || figures.length > digitsMax || /[.,]$|[.,]{2}/.test(figures)) return []
  const separators = [...figures.matchAll(/[.,]/g)].map(([separator]) => separator)
  const last = separators.at(-1)
  if (last === undefined) return [shortAmount(figures)]
  const at = figures.lastIndexOf(last)
  const whole = figures.slice(0, at).replaceAll(/[.,]/g, '')
  const fraction = figures.slice(at + 1)
  const asFraction = shortAmount(`${whole}.${fraction}`)
  const asThousands = shortAmount(whole + fraction)
  if (separators.length > 1 && separators.every((one) => one === last)) return [asThousands]
  return separators.length === 1 && fraction.length === 3 ? [asFraction, asThousands] : [asFraction]
}
