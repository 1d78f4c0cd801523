import { createHash } from 'node:crypto'
import { placements } from './spread/placement.ts'

// A statement is text and values, never values inside text. Each text gets a name, so PostgreSQL parses and plans it
// once per connection. Texts composed from fragments could be unlimited, so after `namesMax` of them new ones stay
// unnamed.
//
// Statements that join with rows from a parameter say how few these are: otherwise PostgreSQL assumes a hundred and
// reads whole tables to look up three. JSON rows carry their merchant, and `asked.merchant_id = $n` makes them one in a
// hundred. Arrays are followed by `limit (select <number of rows>)`; with the bare number PostgreSQL plans again at
// each call (docs/decisions/0011-statements-for-few-rows.md).

export type Sql = {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name: string | undefined
  /** Which of the values is the number of the merchant that it is about; none if it names none. */
  readonly merchantAt?: number | undefined
  /** All of the values that are numbers of merchants; none if it may be about others, too. */
  readonly merchantsAt?: readonly number[]
  /** It needs the coordinator of a cluster: it is about a table there, about locks or notifications. */
  readonly needsCoordinator?: boolean
}

type Known = Pick<Sql, 'text' | 'name' | 'merchantAt' | 'merchantsAt' | 'needsCoordinator'>

const isSql = Symbol('sql')
const namesMax = 500
const fixed = new WeakMap<TemplateStringsArray, Known>()
const assembled = new Map<string, Known>()

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (!values.some(isFragment)) {
    const known = fixed.get(strings) ?? remember(strings)
    return statementOf(known, values)
  }
  const flat: unknown[] = []
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    text += isFragment(value) ? renumber(value, flat) : `$${flat.push(value)}`
    text += strings[index + 1] ?? ''
  })
  return statementOf(knownOf(text), flat)
}

/** Joins fragments, for filters that are there or not: `join(filters, ' and ')`. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  const flat: unknown[] = []
  const text = fragments.map((fragment) => renumber(fragment, flat)).join(separator)
  return statementOf({ text, name: undefined, ...findPlace(text) }, flat)
}

/**
 * Without a name, so that PostgreSQL plans with the values at each call. For statements whose best plan hangs on
 * them: a plan for any value can't use a partial index, and took the trigram index for two letters (2 ms became 70).
 */
export function planEachTime(statement: Sql): Sql {
  return statementOf({ ...statement, name: undefined }, statement.values)
}

/**
 * Deletes rows of one merchant by what they belong to: `deleteOf(sql`refunds`, sql`number`, { merchantId, names })`. Planned
 * each time, as how many names there are decides.
 */
export function deleteOf(
  table: Sql,
  column: Sql,
  { merchantId, names }: { readonly merchantId: number; readonly names: readonly string[] },
): Sql {
  return planEachTime(
    sql`delete from ${table} where merchant_id = ${merchantId} and ${column} = any(${names}::text[])`,
  )
}

/** A table or column by its name, which comes from our own schema. */
export function bareName(name: string): Sql {
  if (!/^[a-z_][a-z_0-9.]*$/.test(name)) throw new Error(`${name} is no name in our schema`)
  return join([{ text: name, values: [], name: undefined }], '')
}

function remember(strings: TemplateStringsArray): Known {
  const text = strings.reduce((left, right, index) => `${left}$${index}${right}`)
  const known = { text, name: statementName(text), ...findPlace(text) }
  fixed.set(strings, known)
  return known
}

function knownOf(text: string): Known {
  const known = assembled.get(text)
  if (known !== undefined) return known
  const place = findPlace(text)
  if (assembled.size >= namesMax) return { text, name: undefined, ...place }
  const named = { text, name: statementName(text), ...place }
  assembled.set(text, named)
  return named
}

type FoundPlace = Required<Pick<Sql, 'merchantAt' | 'merchantsAt' | 'needsCoordinator'>>

function findPlace(text: string): FoundPlace {
  const merchantAt = findMerchant(text)
  const named = [...text.matchAll(/\bmerchant_id = \$(\d+)/g), ...text.matchAll(rowOfValues)]
  const places = [...named.map(([, place]) => place), ...merchantsInserted(text)]
  const isClear = merchantAt !== undefined && !places.includes(undefined)
  const merchantsAt = isClear ? [...new Set([merchantAt, ...places.map((place) => Number(place) - 1)])] : []
  return { merchantAt, merchantsAt, needsCoordinator: coordinatorWords.test(text) }
}

// What is inserted may be another merchant's than the one that the statement reads. Undefined: it is unclear whose.

/** Each row of `values` may be somebody else's. */
const rowOfValues = /(?:\bvalues|(?<=\bvalues\b[^;]*)\)\s*,)\s*\((?:\$(\d+)\b)?/g

function merchantsInserted(text: string): (string | undefined)[] {
  const inserts = text.matchAll(/\binsert into [\w.]+(?: as \w+)? \((\w+)[^)]*\)\s*(?:select \$(\d+))?/g)
  return [...inserts].flatMap(([, column, selected]) => {
    if (column !== 'merchant_id') return [undefined]
    return selected === undefined ? [] : [selected]
  })
}

const coordinatorTables = Object.keys(placements).filter((table) => placements[table] === 'coordinator')
/** Locks by name and notifications are known only where they are made. */
const coordinatorWords = new RegExp(`\\b(?:${coordinatorTables.join('|')}|pg_notify|pg_\\w*advisory\\w*)\\b`)

/** By the words that a cluster finds the merchant's node by. */
function findMerchant(text: string): number | undefined {
  const found =
    /\bmerchant_id = \$(\d+)/.exec(text) ??
    /\binsert into [\w.]+(?: as \w+)? \(merchant_id\b[^)]*\)\s*(?:values \(|select )\$(\d+)/.exec(text) ??
    /advisory_xact_lock(?:_shared)?\(\$\d+::integer, \$(\d+)::integer\)/.exec(text) ??
    /\b(?:from|update) merchants\b[^;]*\bid = \$(\d+)/.exec(text)
  return found ? Number(found[1]) - 1 : undefined
}

/** The merchant that the first of these statements names. */
export function merchantOf(statements: readonly Sql[]): number | undefined {
  for (const { merchantAt, values } of statements)
    if (merchantAt !== undefined) return values[merchantAt] as number
  return undefined
}

/** Whether a merchant's node of a cluster can answer them by itself. */
export function isLocal(statements: readonly Sql[]): boolean {
  return statements.every(({ needsCoordinator }) => needsCoordinator !== true)
}

/** What PostgreSQL keeps its plan under. */
export function statementName(text: string): string {
  return `florin_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
}

function renumber(fragment: Sql, flat: unknown[]): string {
  const offset = flat.length
  flat.push(...fragment.values)
  return fragment.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`)
}

/** Field by field: copying them took longer, for every statement there is. */
function statementOf(known: Known, values: readonly unknown[]): Sql {
  const { text, name, merchantAt, merchantsAt, needsCoordinator } = known
  return { text, values, name, merchantAt, merchantsAt, needsCoordinator, [isSql]: true } as Sql
}

function isFragment(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && isSql in value
}
