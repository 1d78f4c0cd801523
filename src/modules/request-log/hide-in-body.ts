import { hideInText, secretNames } from '../../platform/http/log.ts'
import { containsCardNumber, speaksOfCard } from '../../platform/money/card-numbers.ts'

// What may be logged of a request: no secret, no card, and no one's name or address, which the payment has anyway.
// Values are hidden by the name of their field and by their appearance.

/** Per body, in characters. */
export const bodyCharactersMax = 4_096
/** Per value: what is kept, and so much beyond that no card number of it is cut in two before it is seen. */
const judgedCharactersMax = bodyCharactersMax + 64
/** Longer ones are not looked through. */
const readCharactersMax = 65_536
const pathCharactersMax = 512

const hidden = '[hidden]'
const personal = new Set(['first_name', 'last_name', 'phone', 'iban', 'account_number', 'sealed'])
const tellsOfSecret =
  /secret|passw|passphrase|token|credential|authorization|(?:api|private)[_-]?key|^pin$|^otp$/

/** A value that was read of a body, as text. */
export function hideInBody(body: unknown): string | null {
  if (body === undefined || body === null) return null
  const plain: unknown = body instanceof Map ? Object.fromEntries(body as Map<string, unknown>) : body
  let room = bodyCharactersMax
  const text = hideInText(
    JSON.stringify(plain, function hide(this: unknown, name: string, value: unknown) {
      if (room < 0) return undefined // Beyond what is kept
      const shown = hideField(name, value, room)
      room -= (Array.isArray(this) ? 0 : name.length) + (typeof shown === 'string' ? shown.length : 1)
      return shown
    }) ?? '',
  )
  return room < 0 || text.length > bodyCharactersMax ? `${text.slice(0, bodyCharactersMax)}…` : text
}

/** The text of an answer, which is JSON of ours. */
export function hideInAnswer(text: string): string {
  if (text.length > readCharactersMax) return `[too long to keep: ${text.length} characters]`
  return hideInBody(JSON.parse(text)) ?? ''
}

/** An address as people read it. Split before it is decoded: an encoded `&` belongs to its value. */
export function hideInPath(url: string): string {
  const [path = '', ...queries] = url.slice(0, readCharactersMax).split('?')
  const parts = path.split('/').map((part) => hideCard(decoded(part)))
  const pairs = queries.join('?').split('&').map(hideInPair)
  const shown = hideInText(parts.join('/') + (queries.length > 0 ? `?${pairs.join('&')}` : ''))
  return shown.length > pathCharactersMax ? `${shown.slice(0, pathCharactersMax)}…` : shown
}

/** One `name=value` of a query; `card[cvc]` is hidden for each word of its name. */
function hideInPair(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0) return hideCard(decoded(pair))
  const [name, value] = [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))]
  const isSecret = value !== '' && name.split(/[[\].]/).some(isSecretName)
  return `${hideCard(name)}=${isSecret ? hidden : hideCard(value)}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replace(/\p{Cc}/gu, ' ')
  } catch {
    return part
  }
}

function hideCard(text: string): string {
  const judged = text.slice(0, judgedCharactersMax)
  return containsCardNumber(judged) ? hidden : judged
}

function hideField(name: string, value: unknown, room: number): unknown {
  if (value === null || value === '') return value
  if (isSecretName(name.slice(0, judgedCharactersMax))) return hidden
  if (typeof value === 'object') return hideInNames(value, room)
  if (typeof value === 'number') return containsCardNumber(String(value)) ? hidden : value
  return typeof value === 'string' ? hideCard(value) : value
}

/** Somebody may have taken a card for the name of a field. */
function hideInNames(value: object, room: number): object {
  if (Array.isArray(value)) return value
  const names = firstNames(value, room)
  const shown = names.map(hideCard)
  if (shown.every((name, index) => name === names[index])) return value
  return Object.fromEntries(shown.map((name, index) => [name, value[names[index] as keyof object]]))
}

/** As many as there is room for, and one more. */
function firstNames(value: object, room: number): string[] {
  const names = Object.keys(value)
  let length = 0
  const last = names.findIndex((name) => (length += name.length) > room)
  return last === -1 ? names : names.slice(0, last + 1)
}

// The same names come again and again: without this a look-up took 90 µs to be noted, half of it here.
const judged = new Map<string, boolean>()
const judgedMax = 1_000

function isSecretName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const isSecret = judge(name)
  // No test: the size of a cache is no promise
  if (judged.size < judgedMax && name.length <= 40) judged.set(name, isSecret)
  return isSecret
}

function judge(name: string): boolean {
  const lower = name.toLowerCase()
  return secretNames.has(lower) || personal.has(lower) || tellsOfSecret.test(lower) || speaksOfCard(name)
}
