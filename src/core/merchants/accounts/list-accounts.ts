import type { Database } from '../../../platform/database/database.ts'
import { listAccounts as readAccounts, type Callbacks, type Owner } from './account-store.ts'
import { findMerchantsWithAccounts } from './owners-look-store.ts'

/** The public facts of an account, without its credentials. */
export type AccountSummary = {
  readonly id: string
  readonly merchant: Owner
  readonly connector: string
  readonly label: string
  readonly sandbox: boolean
  readonly callbacks: Callbacks
  readonly created_at: string
  readonly checked_at: string
  readonly removed_at: string | null
}

/** The newest first. */
export async function listAccounts(db: Database, owner: Owner): Promise<AccountSummary[]> {
  return (await readAccounts(db, owner)).map((row) => ({
    id: row.id,
    merchant: owner,
    connector: row.connector,
    label: row.label,
    sandbox: row.sandbox,
    callbacks: row.callbacks,
    created_at: row.created_at,
    checked_at: row.checked_at,
    removed_at: row.removed_at,
  }))
}

/** The installation's, then those of each merchant. */
export async function listAllAccounts(db: Database): Promise<AccountSummary[]> {
  const found = await listAccounts(db, 'installation')
  // One after the other: each merchant is asked for by itself, and nothing else should wait for this.
  for (const merchantId of await findMerchantsWithAccounts(db))
    found.push(...(await listAccounts(db, merchantId)))
  return found
}

/** For a start and a status, which must not wait for thousands of merchants. */
export async function listSomeAccounts(
  db: Database,
  merchantsMax: number,
): Promise<{ readonly accounts: AccountSummary[]; readonly merchantsBeyond: number }> {
  const merchants = await findMerchantsWithAccounts(db)
  const accounts = await listAccounts(db, 'installation')
  for (const merchantId of merchants.slice(0, merchantsMax))
    accounts.push(...(await listAccounts(db, merchantId)))
  const living = accounts.filter(({ removed_at }) => removed_at === null)
  return { accounts: living, merchantsBeyond: Math.max(0, merchants.length - merchantsMax) }
}
