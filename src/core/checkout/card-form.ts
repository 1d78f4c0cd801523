import type { FormFields } from '../../platform/input/form-fields.ts'
import type { CardDetails } from '../payments/checkout-view.ts'
import { isCardNumber } from '../../platform/money/card-numbers.ts'
import type { Words } from './language.ts'

// Reads what the customer typed. assets/card-fields.js has the same rules, so that mistakes need no round trip.

export const fieldNames = ['number', 'expiry', 'cvc', 'name'] as const
export type FieldName = (typeof fieldNames)[number]
export type FieldMistakes = Partial<Record<FieldName, keyof Words>>

export type ReadCard =
  | { readonly ok: true; readonly card: CardDetails; readonly typed: Typed }
  | { readonly ok: false; readonly mistakes: FieldMistakes; readonly typed: Typed }

type Typed = { readonly expiry: string; readonly name: string }

export const nameMax = 100
const yearsAheadMax = 50
const halfDayMs = 12 * 60 * 60 * 1000

export function readCardForm(form: FormFields, now: Date): ReadCard {
  const mistakes: FieldMistakes = {}
  const number = readNumber(form.get('number') ?? '', mistakes)
  const expiry = readExpiry(form.get('expiry') ?? '', now, mistakes)
  const cvc = readCvc(form.get('cvc') ?? '', number, mistakes)
  const name = (form.get('name') ?? '').trim()
  if (name === '') mistakes.name = 'nameMissing'
  if (name.length > nameMax) mistakes.name = 'nameLong'

  const typed = { expiry: (form.get('expiry') ?? '').slice(0, 20), name: name.slice(0, nameMax) }
  if (Object.keys(mistakes).length > 0 || !expiry) return { ok: false, mistakes, typed }
  return { ok: true, typed, card: { number, expiryMonth: expiry.month, expiryYear: expiry.year, cvc } }
}

function readNumber(text: string, mistakes: FieldMistakes): string {
  const digits = plainDigits(text).replace(/[\s\-.]/g, '')
  if (digits === '') mistakes.number = 'numberMissing'
  else if (!isCardNumber(digits)) mistakes.number = 'numberWrong'
  return digits
}

function readExpiry(
  text: string,
  now: Date,
  mistakes: FieldMistakes,
): { month: number; year: number } | undefined {
  // 2029-12, as calendars write it; no month is a 20.
  const plain = plainDigits(text)
    .replace(/\s/g, '')
    .replace(/^(20\d\d)([/.-](\d{1,2})|(\d\d))$/, '$3$4/$1')
  const match = /^(\d{1,2})[/.-](\d{2}|\d{4})$/.exec(plain) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(plain)
  if (plain === '') mistakes.expiry = 'expiryMissing'
  else if (!match) mistakes.expiry = 'expiryWrong'
  if (!match) return undefined

  const month = Number(match[1])
  const year = Number(match[2]) + (match[2]?.length === 2 ? 2000 : 0)
  // A card is good to the end of its month, which comes twelve hours later at the far end of the world.
  const earliest = new Date(now.getTime() - halfDayMs)
  const monthsLeft = (year - earliest.getUTCFullYear()) * 12 + month - (earliest.getUTCMonth() + 1)
  if (month < 1 || month > 12 || monthsLeft > yearsAheadMax * 12) mistakes.expiry = 'expiryWrong'
  else if (monthsLeft < 0) mistakes.expiry = 'expiryPast'
  return { month, year }
}

/** Three digits on the back, or, of American Express, four on the front. */
function readCvc(text: string, number: string, mistakes: FieldMistakes): string {
  const digits = plainDigits(text).trim()
  if (digits === '') mistakes.cvc = 'cvcMissing'
  else if (!isCodeOf(number, digits)) mistakes.cvc = isAmex(number) ? 'cvcWrongFront' : 'cvcWrong'
  return digits
}

function isCodeOf(number: string, code: string): boolean {
  return (isAmex(number) ? /^\d{4}$/ : /^\d{3}$/).test(code)
}

function isAmex(number: string): boolean {
  return /^3[47]/.test(number)
}

/** Arabic and Persian keyboards type digits of their own. */
function plainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
}
