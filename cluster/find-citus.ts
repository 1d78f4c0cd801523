import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

// The programs of a PostgreSQL that has Citus beside it. The one that comes with Florin has none.

export const waysToGetCitus = `A PostgreSQL with Citus was not found. Ways to get one:
  its packages for Debian, Ubuntu or Red Hat (docs.citusdata.com, "Installation");
  its container image, citusdata/citus: cluster/compose.yaml starts it;
  its source, built with the pg_config of your PostgreSQL.
PG_BINDIR names the folder of the programs when pg_config is not in the path.`

/** The folder of initdb, postgres and pg_config, or undefined where Citus is not installed. */
export function findCitus(): string | undefined {
  return candidates().find(hasCitus)
}

function candidates(): string[] {
  const named = process.env['PG_BINDIR']
  if (named) return [named]
  const usual = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt'].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .toSorted()
          .toReversed()
          .map((name) => join(folder, name, 'bin'))
      : [],
  )
  return [ask('pg_config', '--bindir'), ...usual].filter((folder) => folder !== undefined)
}

function hasCitus(folder: string): boolean {
  const shared = ask(join(folder, 'pg_config'), '--sharedir')
  return shared !== undefined && existsSync(join(shared, 'extension', 'citus.control'))
}

function ask(program: string, question: string): string | undefined {
  try {
    return execFileSync(program, [question], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
