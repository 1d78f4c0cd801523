// What a network allows in a request, field by field. A stand-in knows the documented fields that we use and refuses
// any other: a misspelled one would pass unnoticed by a stand-in that ignores it, and be refused by the network.

export type Problem = {
  readonly kind: 'unknown' | 'missing' | 'invalid'
  readonly field: string
  readonly why: string
}

export type Rule = (value: unknown, field: string) => Problem | undefined
export type Fields = Readonly<Record<string, { readonly rule: Rule; readonly required: boolean }>>

export const must = (rule: Rule) => ({ rule, required: true }) as const
export const may = (rule: Rule) => ({ rule, required: false }) as const

export function text(lengthMost: number, shape: RegExp = /^/): Rule {
  return (value, field) =>
    typeof value === 'string' && value !== '' && value.length <= lengthMost && shape.test(value)
      ? undefined
      : invalid(field, `must be a text of at most ${lengthMost} characters`)
}

export function oneOf(...allowed: readonly string[]): Rule {
  return (value, field) =>
    allowed.some((one) => one === value) ? undefined : invalid(field, `must be one of ${allowed.join(', ')}`)
}

/** Digits in a form, a number in JSON. */
export function whole(least: number, most: number): Rule {
  return (value, field) => {
    const number = typeof value === 'number' ? value : /^\d{1,15}$/.test(String(value)) ? Number(value) : NaN
    return Number.isSafeInteger(number) && number >= least && number <= most
      ? undefined
      : invalid(field, `must be a whole number from ${least} to ${most}`)
  }
}

export function object(fields: Fields): Rule {
  return (value, field) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return invalid(field, 'must be an object')
    return findProblem(value as Record<string, unknown>, fields, field)
  }
}

export function listOf(rule: Rule, most: number): Rule {
  return (value, field) => {
    const items = asList(value)
    if (!items || items.length === 0 || items.length > most)
      return invalid(field, `must be a list of 1 to ${most}`)
    return items
      .map((item, index) => rule(item, `${field}[${index}]`))
      .find((problem) => problem !== undefined)
  }
}

export function metadata(most: {
  readonly names: number
  readonly name: number
  readonly value: number
}): Rule {
  return (value, field) => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : undefined
    const fits = entries?.every(
      ([name, held]) => name.length <= most.name && typeof held === 'string' && held.length <= most.value,
    )
    return entries && fits && entries.length <= most.names ? undefined : invalid(field, 'is no metadata')
  }
}

export function findProblem(
  value: Readonly<Record<string, unknown>>,
  fields: Fields,
  at = '',
): Problem | undefined {
  const path = (name: string): string => (at === '' ? name : `${at}[${name}]`)
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) return { kind: 'unknown', field: path(name), why: 'is not known' }
  }
  for (const [name, { rule, required }] of Object.entries(fields)) {
    if (value[name] === undefined) {
      if (required) return { kind: 'missing', field: path(name), why: 'is missing' }
      continue
    }
    const problem = rule(value[name], path(name))
    if (problem) return problem
  }
  return undefined
}

/** `line_items[0][quantity]=1`, as Stripe's forms are written. */
export function readForm(form: string | URLSearchParams): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '')
    let into = read
    for (const part of path.slice(0, -1)) into = (into[part] ??= {}) as Record<string, unknown>
    into[path.at(-1) ?? ''] = value
  }
  return read
}

/** Lists of a form come with their places for names. */
export function asList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value !== 'object' || value === null) return undefined
  const names = Object.keys(value)
  return names.every((name, index) => name === String(index)) ? Object.values(value) : undefined
}

export type Paging = {
  readonly limit: number
  /** Names of things that the page comes after, or ends before; of all things, also those that do not fit. */
  readonly after?: string | undefined
  readonly before?: string | undefined
}

export type Page<T> = {
  readonly items: readonly T[]
  readonly hasMore: boolean
  readonly hasEarlier: boolean
}

/** One page of what fits. Undefined: there is nothing of the name that the page comes after or ends before. */
export function pageOf<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  fits: (item: T) => boolean,
  { limit, after, before }: Paging,
): Page<T> | undefined {
  const place = (name: string): number => all.findIndex((item) => nameOf(item) === name)
  const from = after === undefined ? 0 : place(after) + 1
  const to = before === undefined ? all.length : place(before)
  if ((after !== undefined && from === 0) || to === -1) return undefined
  const fitting = all.slice(from, to).filter(fits)
  const items = before === undefined ? fitting.slice(0, limit) : fitting.slice(-limit)
  return {
    items,
    hasMore: fitting.length > items.length,
    hasEarlier: all.slice(0, from).some(fits),
  }
}

function invalid(field: string, why: string): Problem {
  return { kind: 'invalid', field, why }
}
