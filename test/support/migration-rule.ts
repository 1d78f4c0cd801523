import { placements } from '../../src/platform/database/spread/placement.ts'
import type { Rule } from './source-files.ts'

// Migrations in a form that also runs where the tables are spread over a cluster by merchant_id: every key holds that
// column, and constraints come in commands of their own, by name. Those that were released before this rule stay.
// Tables can be spread once migration 13 has run: the form of its one command is refused for a table that is spread.

const firstNumber = 12
const firstOfSpreadTables = 14
/** Tables that are not spread, so that anything may refer to them among themselves. */
const unspreadTables = new Set(Object.keys(placements).filter((table) => placements[table] !== 'spread'))

export const migrationsSuitACluster: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const number = Number(/^src\/platform\/database\/migrations\/(\d+)_.*\.sql$/.exec(path)?.[1] ?? 0)
    if (number < firstNumber) return []
    const statements = statementsIn(text)
    return statements
      .flatMap((statement) => [
        ...(number < firstOfSpreadTables ? [] : formMistakes(statement, statements, text)),
        ...alterMistakes(statement),
        ...tableMistakes(statement),
        ...indexMistakes(statement),
      ])
      .map((mistake) => `${path}: ${mistake}`)
  })

function statementsIn(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
}

const constraintWord =
  /\b(check|references|unique|primary key|constraint|exclude|generated|serial|bigserial)\b/

function alterMistakes(statement: string): string[] {
  const [, table = '', actions = ''] =
    /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(statement) ?? []
  const mistakes = partsOf(actions).flatMap((action) => {
    if (/^add (check|unique|primary key|foreign key|exclude)\b/.test(action)) {
      return [`adds a constraint without a name to ${table}`]
    }
    if (action.startsWith('add constraint ')) return keyMistakes(table, action)
    if (!/^add (column )?/.test(action)) return []
    return constraintWord.test(action) ? [`adds a column with its constraint in one command to ${table}`] : []
  })
  const isAlone = partsOf(actions).length === 1
  return /(^|, )add constraint /.test(actions) && !isAlone
    ? [...mistakes, `adds a constraint in one command with something else to ${table}`]
    : mistakes
}

const allowedActions = [
  /^(add|drop) /,
  /^validate constraint /,
  /^alter (column )?\S+ (set|drop) (default|not null)\b/,
  /^alter (column )?\S+ (set data )?type /,
  /^rename (?!constraint )/,
  /^(set|reset) \(/,
]

/**
 * What Citus says of tables that are spread: "alter table command is currently unsupported", and of triggers the same. A
 * table that the same migration creates is not spread yet; whoever spreads it allows its triggers then. Whoever migrates a
 * spread database allows triggers as well, which is safe of those that look at nothing but their own row.
 */
function formMistakes(statement: string, statements: readonly string[], file: string): string[] {
  const [, triggered = ''] =
    /^create (?:or replace )?(?:constraint )?trigger .* on ([\w.]+)\b/.exec(statement) ?? []
  const isOfNewTable = statements.some((one) => one.startsWith(`create table ${triggered} (`))
  if (triggered !== '' && !isOfNewTable && !looksAtOwnRow(statement, file)) return ['creates a trigger']
  const [, table = '', actions = ''] =
    /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(statement) ?? []
  return partsOf(actions)
    .filter((action) => action !== '' && !allowedActions.some((form) => form.test(action)))
    .map((action) => `changes ${table} in a way that can't be spread: ${action}`)
}

/** A trigger for each row, whose function stands in the same file and names no table. */
function looksAtOwnRow(trigger: string, file: string): boolean {
  const [, name = ''] = /\bfor each row execute function (\w+)\(\)$/.exec(trigger) ?? []
  const made = new RegExp(
    `create function ${name}\\(\\) returns trigger language plpgsql as \\$\\$([^]*?)\\$\\$;`,
  )
  const body = made.exec(file)?.[1]
  return body !== undefined && !/\b(select|from|into|update|delete|perform|execute|call|copy)\b/i.test(body)
}

function tableMistakes(statement: string): string[] {
  const created = /^create (?:unlogged )?table (?:if not exists )?([\w.]+) \((.*)\)[^)]*$/.exec(statement)
  if (!created) return []
  const [, table = '', body = ''] = created
  if (unspreadTables.has(table)) return []
  const parts = partsOf(body)
  const isOwned = parts.some(
    (part) => /(^|\b)primary key \(merchant_id\b/.test(part) || /^merchant_id .*primary key/.test(part),
  )
  return [
    ...(isOwned ? [] : [`creates ${table} without merchant_id first in its primary key`]),
    ...parts.flatMap((part) => keyMistakes(table, part)),
  ]
}

/** Keys of a table, as a part of its creation or added later: each has to hold merchant_id. */
function keyMistakes(table: string, part: string): string[] {
  if (unspreadTables.has(table)) return []
  const isOfColumn = !/^(constraint|primary key|unique|foreign key|check|exclude|add)\b/.test(part)
  const column = part.split(' ')[0]
  const target = /\breferences ([\w.]+)/.exec(part)?.[1]
  const isReference = target === undefined || unspreadTables.has(target)
  if (isOfColumn) {
    const isUnique = /\b(unique|primary key)\b/.test(part) && column !== 'merchant_id'
    return [
      ...(isUnique ? [`has a key without merchant_id: ${table}.${column}`] : []),
      ...(isReference || column === 'merchant_id'
        ? []
        : [`refers to ${target} without merchant_id: ${table}.${column}`]),
    ]
  }
  const [, kind = '', columns = ''] =
    /\b(unique|primary key|foreign key) (?:nulls (?:not )?distinct )?\(([^)]*)\)/.exec(part) ?? []
  if (kind === '' || /\bmerchant_id\b/.test(columns) || (kind === 'foreign key' && isReference)) return []
  return [`has a ${kind} without merchant_id: ${table} (${columns})`]
}

function indexMistakes(statement: string): string[] {
  const created =
    /^create unique index (?:concurrently )?(?:if not exists )?(?:\w+ )?on (?:only )?([\w.]+) (?:using \w+ )?(\(.*)$/.exec(
      statement,
    )
  if (!created) return []
  const [, table = '', rest = ''] = created
  const [columns = ''] = rest.split(/\) (?:include|where|with|nulls|tablespace)\b/)
  return unspreadTables.has(table) || /\bmerchant_id\b/.test(columns)
    ? []
    : [`has a unique index without merchant_id: ${table}`]
}

/** At the commas that stand outside of parentheses. */
function partsOf(text: string): string[] {
  let depth = 0
  const parts = ['']
  for (const letter of text) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}
