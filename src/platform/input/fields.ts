import { brokenRule, Refusal, type FieldErrors } from '../errors/refusals.ts'
import { closest } from './closest.ts'
import type { FormFields } from './form-fields.ts'
import { pathOf } from './nested-fields.ts'
import { noteWarnings, warnOf } from './unknown-fields.ts'

/** Names of a request that a missing one is compared with. */
const comparedNamesMax = 100
/** UTF-16 units: a text with more of them per character is too long before anything is counted. */
const unitsOfCharacter = 2
/** As unitsOfCharacter, for text that gets shorter by being tidied. */
const untidyUnits = 16

// Reads untrusted fields one rule at a time. Every broken rule is collected, in the order in which the fields are
// read, so that a developer sees all mistakes at once and `message` names the first.
export class Fields {
  readonly errors: FieldErrors = {}
  protected readonly known = new Set<string>()
  private readonly source: Record<string, unknown>
  private readonly sent: unknown
  private readonly innerWarnings: string[] = []

  /** `sent` is the body of the request if `source` was made from it. */
  constructor(source: unknown, sent = source) {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) {
      throw new Refusal('malformed_body', 'The request body must be a JSON object')
    }
    this.source = source as Record<string, unknown>
    this.sent = sent
  }

  /** The field as sent, text without its outer white space. What says nothing counts as left out. */
  value(name: string): unknown {
    this.known.add(name)
    return this.given(name)
  }

  protected given(name: string): unknown {
    if (!Object.hasOwn(this.source, name)) return undefined
    const value = this.source[name]
    const given = typeof value === 'string' ? value.trim() : value
    return saysNothing(given) ? undefined : given
  }

  /** The fields sent, by name. */
  protected names(): string[] {
    return Object.keys(this.source)
  }

  /** `rule` is the sentence without its subject: `is required` becomes `tx_ref is required`. */
  fail(name: string, rule: string): undefined {
    return this.failWith(name, `${name} ${rule}`)
  }

  failWith(name: string, sentence: string): undefined {
    if (Object.hasOwn(this.errors, name)) this.errors[name]?.push(sentence)
    // A parameter may be called __proto__: to set that would change the object instead of adding to it.
    else Object.defineProperty(this.errors, name, { value: [sentence], enumerable: true })
    return undefined
  }

  /** Unknown fields are ignored, so a misspelt one is missed: it is pointed at. */
  failMissing(name: string): undefined {
    const others = this.names().filter((each) => each !== name)
    const meant = closest(name, others.slice(0, comparedNamesMax))
    if (meant === undefined) return this.fail(name, 'is required')
    return this.fail(name, `is required: you sent ${JSON.stringify(meant)}, did you mean ${name}?`)
  }

  requiredText(name: string, limit: { max: number }): string | undefined {
    return this.value(name) === undefined ? this.failMissing(name) : this.text(name, limit)
  }

  /** `tidy` changes what was sent before the rules are held against it. */
  text(
    name: string,
    limit: { max: number; tidy?: ((text: string) => string) | undefined },
  ): string | undefined {
    const given = this.value(name)
    if (given === undefined) return undefined
    if (typeof given !== 'string') return this.fail(name, 'must be a string')
    const tooLong = `must be at most ${limit.max.toLocaleString('en')} characters`
    if (given.length > limit.max * (limit.tidy ? untidyUnits : unitsOfCharacter))
      return this.fail(name, tooLong)
    const value = limit.tidy ? limit.tidy(given) : given
    if (characters(value) > limit.max) return this.fail(name, tooLong)
    if (hasControlCharacter(value)) return this.fail(name, 'must not contain control characters')
    if (!value.isWellFormed()) return this.fail(name, 'must be valid Unicode text')
    return value
  }

  time(name: string): string | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (typeof value === 'string' && isTime(value)) return value
    const rule = 'must be a date or time such as 2026-11-15 or 2026-11-15T14:05:00Z'
    // In a query string + means a space, so the + of an offset such as +01:00 gets lost unless it is encoded.
    const hint = typeof value === 'string' && value.includes(' ') ? '; in a URL write + as %2B' : ''
    return this.fail(name, rule + hint)
  }

  /** Throws the refusal if any rule failed. Call it once, after the last field was read: what wasn't read is unknown. */
  check(): void {
    const first = Object.values(this.errors)[0]?.[0]
    if (first !== undefined) throw new Refusal('validation_failed', first, { errors: this.errors })
    noteWarnings(this.sent, this.warnings())
  }

  /** Fields that are read elsewhere. */
  alsoKnows(names: Iterable<string>): void {
    for (const name of names) this.known.add(name)
  }

  /** The warnings about the fields of an object in this one. */
  takeWarnings(inner: Fields, place: string): void {
    this.innerWarnings.push(...inner.warnings(place))
  }

  private warnings(place?: string): string[] {
    return [...warnOf(namesOf(this.sent), this.known, place), ...this.innerWarnings]
  }
}

/** The parameters of an address. One that is given twice is a mistake, not a list. */
export class Query extends Fields {
  override value(name: string): unknown {
    const value = super.value(name)
    if (!Array.isArray(value)) return value
    if (this.errors[name] === undefined) this.fail(name, 'must be sent only once')
    return undefined
  }

  /**
   * Like check, and refuses every unknown parameter: filtering by a name the list doesn't have would return other rows,
   * and paging by one would return the first page for ever. Names that begin with _ are left alone: caches and tracking
   * tools add them to defeat a cache.
   */
  checkAll(): void {
    const known = [...this.known]
    const unknown = this.names().filter(
      (name) => !name.startsWith('_') && !this.known.has(name) && this.given(name) !== undefined,
    )
    for (const name of unknown) {
      const meant = closest(name, known)
      const hint = meant === undefined ? '' : `, did you mean ${meant}?`
      const list = known.length === 0 ? '' : `${hint === '' ? ', use' : ' Use'} ${known.join(', ')}`
      this.fail(name, `is not a known parameter${hint}${list}`)
    }
    this.check()
  }
}

/** The fields of a JSON object or a form. In a form meta[cart] is a part of meta. */
function namesOf(sent: unknown): string[] {
  if (!(sent instanceof Map)) return Object.keys(sent as object)
  return [...new Set([...(sent as FormFields).keys()].map((name) => pathOf(name)[0]))]
}

/** For a part of an address, which the router gives as an empty text when it is left out. */
export function requireText(name: string, value: string): string {
  const text = value.trim()
  if (text === '') throw brokenRule(name, `${name} is required`)
  return text
}

/** Null, and what programs send that have nothing to say: "", {} and PHP's empty array, which is []. */
function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (typeof value !== 'object') return false
  for (const _ in value) return false
  return true
}

const timeShape =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/

/**
 * A time of the calendar, as PostgreSQL takes it. Date.parse would let 30 February pass as 2 March, and read a time
 * out of almost any text that ends in a number.
 */
export function isTime(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = timeShape.exec(text)?.map(Number) ?? []
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Characters as people count them (code points), not UTF-16 units. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
