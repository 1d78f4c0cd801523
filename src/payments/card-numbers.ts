import { passesLuhn } from '../money/luhn.ts'

// Card numbers are never stored. A complete number of a known scheme (range, length and Luhn) is refused where a
// person might put one. A long number that merely passes Luhn is not a card: a tenth of all order ids do.

const schemes: readonly { readonly prefix: RegExp; readonly lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] }, // Visa
  { prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { prefix: /^3[47]/, lengths: [15] }, // American Express
  { prefix: /^3(0[0-5]|[689])/, lengths: [14, 16, 19] }, // Diners Club
  { prefix: /^(6011|64[4-9]|65)/, lengths: [16, 19] }, // Discover
  { prefix: /^35(2[89]|[3-8])/, lengths: [16, 19] }, // JCB
  { prefix: /^62/, lengths: [16, 17, 18, 19] }, // UnionPay
  { prefix: /^(5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [12, 13, 14, 15, 16, 17, 18, 19] }, // Maestro
]

// Digits in groups, as people write them; not part of a longer run of digits.
const candidate = /(?<![0-9])[0-9](?:[ \-.\u00a0]?[0-9]){11,18}(?![0-9])/g

export function containsCardNumber(text: string): boolean {
  return (text.match(candidate) ?? []).some((found) => isCardNumber(found.replace(/[^0-9]/g, '')))
}

export function isCardNumber(digits: string): boolean {
  return (
    schemes.some(({ prefix, lengths }) => prefix.test(digits) && lengths.includes(digits.length)) &&
    passesLuhn(digits)
  )
}

const cardKey =
  /(^|[^a-z])(card|cards|pan|cvv2?|cvc2?|cardnumber|card_?no|ccnum|creditcard|debitcard)([^a-z]|$)/

/** Whether a key of meta speaks of a card: `card`, `cardNumber`, `payment_card`, `pan`, `cvv` … */
export function speaksOfCard(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return cardKey.test(words)
}
