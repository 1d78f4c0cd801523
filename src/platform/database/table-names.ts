import type { Migration } from './migrate.ts'

// Which tables are ours is read from the migrations themselves, so that a new one can't be forgotten; what else an operator
// has in the same database is left alone.

/** The list of migrations is part of a backup's header, and written by migrating. */
const ownOfMigrate = 'schema_migrations'

/** The names of all tables that these migrations leave behind. */
export function tableNamesOf(migrations: readonly Migration[]): string[] {
  const names = new Set<string>()
  for (const { text } of migrations) {
    const changes = text
      .replaceAll(/--.*/g, '')
      .matchAll(
        /\b(create|drop) table (?:if (?:not )?exists )?([\w.]+)|\balter table (?:if exists )?([\w.]+) rename to (\w+)/g,
      )
    for (const [, verb, created = '', renamed = '', to] of changes) {
      if (verb === 'create') names.add(created)
      else names.delete(verb === undefined ? renamed : created)
      if (to !== undefined) names.add(renamed.replace(/\w+$/, to))
    }
  }
  names.delete(ownOfMigrate)
  return [...names]
}
