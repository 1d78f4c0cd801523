import { isStore, program, roomOf, type Rule, type SourceFile } from './source-files.ts'
import { readSource } from './source-text.ts'

// The rules for statements and tables. test/tidy-sql.test.ts holds the tree to them.

export const tablesHaveOneOwner: Rule = (files) => {
  const tables = new Set(
    files
      .filter((file) => /^src\/database\/migrations\/.*\.sql$/.test(file.path))
      .flatMap((file) =>
        [...file.text.matchAll(/create table (?:if not exists )?(\w+)/g)].map((match) => match[1]),
      ),
  )
  const owners = new Map<string, string>()
  return program(files).flatMap((file) => {
    const named = [...new Set(tablesIn(file))].filter((table) => tables.has(table))
    return named.flatMap((table) => {
      const room = roomOf(file.path)
      if (!isStore(file.path)) return [`${file.path}: names the table ${table} outside a store`]
      const owner = owners.get(table) ?? room
      owners.set(table, owner)
      return owner === room ? [] : [`${file.path}: names the table ${table}, which belongs to ${owner}/`]
    })
  })
}

export const statementsStandInStores: Rule = (files) =>
  program(files)
    .filter(({ path }) => !/^src\/(database|cluster|backup)\//.test(path) && !isStore(path))
    .filter((file) => readSource(file.text).strings.some(({ tag }) => tag === 'sql'))
    .map((file) => `${file.path}: holds a statement; only stores do`)

/** Words that stand where a statement names a table. */
function tablesIn(file: SourceFile): string[] {
  return readSource(file.text)
    .strings.filter(
      ({ tag, text }) =>
        tag === 'sql' || /^\s*(select|insert|update|delete|with|lock|truncate|copy|alter|drop) /.test(text),
    )
    .flatMap(({ text }) => [
      ...text.matchAll(/\b(?:from|join|into|update|using|truncate|table|copy|only)\s+"?(\w+)"?/g),
      ...text.matchAll(/\bfrom\s+\w+(?:\s+(?:as\s+)?\w+)?\s*,\s*(\w+)/g),
    ])
    .map((match) => match[1] ?? '')
}

/** Of a cluster a look asks each node by itself; a query over all merchants fails while one node is away, and stops them all. */
export const looksAskEachNode: Rule = (files) =>
  program(files)
    .filter(({ path }) => path.endsWith('-look-store.ts'))
    .filter(({ text }) => /\.query(All)?\b/.test(readSource(text).code))
    .map(({ path }) => `${path}: asks all merchants with query() instead of look()`)

export { statementsNameOneMerchant } from './one-merchant-rule.ts'
export { migrationsSuitACluster } from './migration-rule.ts'
export { migrationsLockNoLargeTable } from './locking-rule.ts'
