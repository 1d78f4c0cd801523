import pg from 'pg'
import { BackupRefused } from './backup-refused.ts'

// Tables and their columns, in the order in which a backup restores them.

export type Table = {
  /** Without a schema if the table is in the one where this connection creates tables, usually public. */
  readonly name: string
  readonly columns: readonly string[]
  /** Columns whose next value comes from a sequence. */
  readonly counted: readonly string[]
}

export function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.')
}

/**
 * Their columns, and they themselves in an order in which each comes after those it refers to: rows are checked as they
 * are restored, since switching that off takes a superuser.
 */
export async function describeTables(client: pg.Client, names: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<{
    name: string
    columns: string[]
    counted: string[]
    needs: string[]
  }>(
    `
    with named as (
      select oid, case when relnamespace = current_schema()::regnamespace then relname
                       else relnamespace::regnamespace || '.' || relname end as name
      from pg_class where relkind in ('r', 'p')
    )
    select c.name,
      array(select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
            order by a.attnum) as columns,
      array(select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
              and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null
            order by a.attnum) as counted,
      array(select distinct other.name from pg_constraint k join named as other on other.oid = k.confrelid
            where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
    from named as c where c.name = any($1)`,
    [names],
  )
  const missing = names.filter((name) => !rows.some((row) => row.name === name))
  if (missing.length > 0)
    throw new BackupRefused(
      `The database lacks ${missing.join(', ')}, which its migrations created: someone changed it by hand.`,
    )
  return inOrder(rows)
}

function inOrder<T extends { readonly name: string; readonly needs: readonly string[] }>(tables: T[]): T[] {
  const left = tables.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const done: T[] = []
  while (left.length > 0) {
    const at = left.findIndex(({ needs }) => !left.some(({ name }) => needs.includes(name)))
    if (at === -1)
      throw new Error(`Tables refer to one another in a circle: ${left.map(({ name }) => name).join(', ')}`)
    done.push(...left.splice(at, 1))
  }
  return done
}
