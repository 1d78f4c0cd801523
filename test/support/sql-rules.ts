import { isStore, program, readsTheCore, roomOf, type Rule, type SourceFile } from './source-files.ts'
import { readSource } from './source-text.ts'

// The rules for statements and tables. test/tidy-sql.test.ts holds the tree to them.

export const tablesHaveOneOwner: Rule = (files) => {
  const tables = new Set(
    files
      .filter((file) => /^src\/platform\/database\/migrations\/.*\.sql$/.test(file.path))
      .flatMap((file) =>
        [...file.text.matchAll(/create table (?:if not exists )?(\w+)/g)].map((match) => match[1]),
      ),
  )
  const owners = new Map<string, string>()
  return program(files)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap((file) => {
      const named = [...new Set(tablesIn(file))].filter((table) => tables.has(table))
      return named.flatMap((table) => {
        const room = roomOf(file.path)
        if (!isStore(file.path)) return [`${file.path}: names the table ${table} outside a store`]
        const owner = owners.get(table) ?? room
        owners.set(table, owner)
        const isOnlyRead =
          readsTheCore(file.path, `src/${owner}/store.ts`) && !tablesWritten(file).includes(table)
        return owner === room || isOnlyRead
          ? []
          : [`${file.path}: names the table ${table}, which belongs to ${owner}/`]
      })
    })
}

export const statementsStandInStores: Rule = (files) =>
  program(files)
    .filter(
      ({ path }) => !/^src\/(platform\/database|modules\/(cluster|backup))\//.test(path) && !isStore(path),
    )
    .filter((file) => readSource(file.text).strings.some(({ tag }) => tag === 'sql'))
    .map((file) => `${file.path}: holds a statement; only stores do`)

/** Words that stand where a statement names a table. */
function tablesIn(file: SourceFile): string[] {
  return tablesNamed(file, [
    /\b(?:from|join|into|update|using|truncate|table|copy|only)\s+"?(\w+)"?/g,
    /\bfrom\s+\w+(?:\s+(?:as\s+)?\w+)?\s*,\s*(\w+)/g,
  ])
}

function tablesWritten(file: SourceFile): string[] {
  return tablesNamed(file, [/\b(?:into|update|delete from|truncate|table|copy)\s+"?(\w+)"?/g])
}

function tablesNamed(file: SourceFile, places: readonly RegExp[]): string[] {
  return readSource(file.text)
    .strings.filter(
      ({ tag, text }) =>
        tag === 'sql' || /^\s*(select|insert|update|delete|with|lock|truncate|copy|alter|drop) /.test(text),
    )
    .flatMap(({ text }) => places.flatMap((place) => [...text.matchAll(place)]))
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
