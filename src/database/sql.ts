import { createHash } from 'node:crypto'

// A statement is text and values, never values inside text. A template without nested fragments is the same text
// at every call, so it gets a name and PostgreSQL parses and plans it once per connection.

export type Sql = {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name: string | undefined
}

const isSql = Symbol('sql')
const fixed = new WeakMap<TemplateStringsArray, { text: string; name: string }>()

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (!values.some(isFragment)) {
    const known = fixed.get(strings) ?? remember(strings)
    return mark({ text: known.text, values, name: known.name })
  }
  const flat: unknown[] = []
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    text += isFragment(value) ? renumber(value, flat) : `$${flat.push(value)}`
    text += strings[index + 1] ?? ''
  })
  return mark({ text, values: flat, name: undefined })
}

/** Joins fragments, for filters that are there or not: `join(filters, ' and ')`. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  const flat: unknown[] = []
  const text = fragments.map((fragment) => renumber(fragment, flat)).join(separator)
  return mark({ text, values: flat, name: undefined })
}

function remember(strings: TemplateStringsArray): { text: string; name: string } {
  const text = strings.reduce((left, right, index) => `${left}$${index}${right}`)
  const name = `florin_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  const known = { text, name }
  fixed.set(strings, known)
  return known
}

function renumber(fragment: Sql, flat: unknown[]): string {
  const offset = flat.length
  flat.push(...fragment.values)
  return fragment.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`)
}

function mark(statement: Sql): Sql {
  return Object.assign(statement, { [isSql]: true })
}

function isFragment(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && isSql in value
}
