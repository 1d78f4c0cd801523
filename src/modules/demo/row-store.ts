import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql, bareName } from '../../platform/database/sql.ts'
import { ownRow } from '../../core/merchants/own-row.ts'
import type { Row } from './rows.ts'

// Writes and deletes rows of a demo merchant, whatever their table is. Only here does a module write into the tables of
// others, because their own functions write what happens now, and a demo needs what happened three months ago.

const rowsAtOnce = 1_000

/** What a row leaves out has the default of its column. All rows of a table have the same columns. */
export async function insertRows(
  tx: Transaction,
  merchantId: number,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'merchant_id')
  const names = join(columns.map(bareName), ', ')
  const values = join(
    columns.map((name) => bareName(`entry.${name}`)),
    ', ',
  )
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const json = JSON.stringify(rows.slice(from, from + rowsAtOnce), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    await tx.query(
      planEachTime(sql`
        insert into ${bareName(table)} (merchant_id, ${names})
        select merchant.merchant_id, ${values}
        from ${ownRow(merchantId)}, json_populate_recordset(null::${bareName(table)}, ${json}) as entry`),
    )
  }
}

/** Those of these tables that hold rows of merchants, each before the tables it refers to. */
export async function listMerchantTables(db: Queryable, names: readonly string[]): Promise<string[]> {
  const tables = await db.query<{ name: string; needs: string[] }>(
    planEachTime(sql`
      with named as (
        select oid, case when relnamespace = current_schema()::regnamespace then relname
                         else relnamespace::regnamespace || '.' || relname end as name
        from pg_class where relkind in ('r', 'p')
      )
      select name,
        array(select distinct other.name from pg_constraint join named as other on other.oid = confrelid
              where conrelid = named.oid and contype = 'f' and confrelid <> conrelid) as needs
      from named where name = any(${names}::text[])
        and exists (select from pg_attribute where attrelid = named.oid and attname = 'merchant_id' and not attisdropped)
      order by name`),
  )
  const left = [...tables]
  const ordered: string[] = []
  while (left.length > 0) {
    const at = left.findIndex(({ name }) => !left.some(({ needs }) => needs.includes(name)))
    const [next] = left.splice(at, 1)
    if (at === -1 || !next) throw new Error('Tables refer to one another in a circle')
    ordered.push(next.name)
  }
  return ordered
}

export async function deleteRows(db: Queryable, merchantId: number, table: string): Promise<void> {
  await db.query(planEachTime(sql`delete from ${bareName(table)} where merchant_id = ${merchantId}`))
}
