import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ProjectRow } from './store.ts'

// What changed in a list, version by version.

/** Names are folded; null is none: before a create, after a delete. */
export type Change = {
  readonly version: bigint
  readonly id: string
  readonly created_at: string
  readonly name_before: string | null
  readonly name_after: string | null
}

/** Who is further behind reads the list afresh, which costs as much as some hundreds of changes. */
const changesKept = 1_000n

/** In the commit of the change; `version` is what claimList gave. */
export async function noteChange(
  tx: Transaction,
  merchantId: number,
  version: bigint,
  { before, after }: { before?: ProjectRow; after?: ProjectRow },
): Promise<void> {
  const project = after ?? before
  await tx.query(sql`
    with forgotten as (
      delete from project_changes where merchant_id = ${merchantId} and version <= ${version - changesKept}
    )
    insert into project_changes (merchant_id, version, id, created_at, name_before, name_after)
    values (${merchantId}, ${version}, ${project?.id}, ${project?.created_at}, ${before?.name_folded},
            ${after?.name_folded})`)
}

export type Changes = { readonly version: bigint; readonly changes: readonly Change[] }

/** The changes after `version`, oldest first, and the version of the list at that moment. */
export async function listChanges(db: Queryable, merchantId: number, version: bigint): Promise<Changes> {
  const rows = await db.query<{ list_version: bigint } & (Change | { version: null })>(sql`
    select list.version as list_version, change.* from project_lists as list
    left join (
      select version, id, created_at, name_before, name_after from project_changes
      where merchant_id = ${merchantId} and version > ${version}) as change on true
    where list.merchant_id = ${merchantId}
    order by change.version`)
  return { version: rows[0]?.list_version ?? 0n, changes: rows.filter((row) => row.version !== null) }
}
