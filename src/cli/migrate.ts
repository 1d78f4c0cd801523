import type { Config } from '../platform/settings/config.ts'
import { migrate, readMigrations } from '../platform/database/migrate.ts'
import { flag, readArguments } from './terminal/arguments.ts'
import { print, printLine } from './terminal/print.ts'
import { withDatabaseUrl } from './reach/with-database.ts'

export const migrateHelp = `florin migrate [--json]

  Runs database migrations and prints them. "florin serve" does this when it
  starts.`

export async function runMigrations(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } })
  const ran = await withDatabaseUrl(config, (url) => migrate(url, readMigrations(), printLine), {
    mayCreate: true,
    asOwner: true,
  })
  if (flag(parsed, 'json')) return print(JSON.stringify({ ran }))
  for (const name of ran) print(name)
  if (ran.length === 0) print('The database is up to date')
}
