import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { MethodScope } from './keeping.ts'

export type StoredCeilings = Readonly<
  Record<string, { readonly method_minor?: string; readonly all_minor?: string }>
>

export type RulesRow = { readonly stopped_at: string | null; readonly ceilings: StoredCeilings }

export async function findRules(
  db: Queryable,
  { merchantId, mode }: MethodScope,
): Promise<RulesRow | undefined> {
  const rows = await db.query<RulesRow>(sql`
    select stopped_at, ceilings from saved_method_rules where merchant_id = ${merchantId} and mode = ${mode}`)
  return rows[0]
}

/** So that the rules stay as they are until the charge, or the change, is committed. */
export async function lockRules(
  tx: Transaction,
  { merchantId, mode }: MethodScope,
  how: 'share' | 'update',
): Promise<RulesRow | undefined> {
  const rows =
    how === 'share'
      ? await tx.query<RulesRow>(sql`
    select stopped_at, ceilings from saved_method_rules
    where merchant_id = ${merchantId} and mode = ${mode} for share`)
      : await tx.query<RulesRow>(sql`
    select stopped_at, ceilings from saved_method_rules
    where merchant_id = ${merchantId} and mode = ${mode} for update`)
  return rows[0]
}

export async function writeRules(
  tx: Transaction,
  { merchantId, mode }: MethodScope,
  rules: { readonly stoppedAt: Date | null; readonly ceilings: StoredCeilings },
): Promise<void> {
  await tx.query(sql`
    insert into saved_method_rules (merchant_id, mode, stopped_at, ceilings)
    values (${merchantId}, ${mode}, ${rules.stoppedAt}, ${JSON.stringify(rules.ceilings)})
    on conflict (merchant_id, mode) do update set stopped_at = excluded.stopped_at, ceilings = excluded.ceilings`)
}
