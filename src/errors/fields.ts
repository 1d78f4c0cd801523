import { Refusal, type FieldErrors } from './refusals.ts'

// Reads untrusted fields one rule at a time. Every broken rule is collected, in the order in which the fields are
// read, so that a developer sees all mistakes at once and `message` names the first.
export class Fields {
  readonly errors: FieldErrors = {}
  private readonly source: Record<string, unknown>

  constructor(source: unknown) {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) {
      throw new Refusal('malformed_body', 'The request body must be a JSON object')
    }
    this.source = source as Record<string, unknown>
  }

  /** The field as sent; null and undefined both count as left out. */
  value(name: string): unknown {
    if (!Object.hasOwn(this.source, name)) return undefined
    return this.source[name] ?? undefined
  }

  /** `rule` is the sentence without its subject: `is required` becomes `tx_ref is required`. */
  fail(name: string, rule: string): undefined {
    return this.failWith(name, `${name} ${rule}`)
  }

  failWith(name: string, sentence: string): undefined {
    const list = (this.errors[name] ??= [])
    list.push(sentence)
    return undefined
  }

  requiredText(name: string, limit: { max: number }): string | undefined {
    const value = this.value(name)
    if (value === undefined || value === '') return this.fail(name, 'is required')
    return this.text(name, limit)
  }

  text(name: string, limit: { max: number }): string | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (typeof value !== 'string') return this.fail(name, 'must be a string')
    const length = characters(value)
    if (length > limit.max)
      return this.fail(name, `must be at most ${limit.max.toLocaleString('en')} characters`)
    if (hasControlCharacter(value)) return this.fail(name, 'must not contain control characters')
    if (!value.isWellFormed()) return this.fail(name, 'must be valid Unicode text')
    return value
  }

  /** Throws the refusal if any rule failed. Call it once, after the last field was read. */
  check(): void {
    const first = Object.values(this.errors)[0]?.[0]
    if (first !== undefined) throw new Refusal('validation_failed', first, { errors: this.errors })
  }
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
