import type { Database } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import type { KeyKind } from './key-format.ts'
import { listMerchants as readMerchants } from './all-merchants-look-store.ts'
import { findMerchant, listKeys as readKeys } from './store.ts'
import type { Mode } from './mode.ts'

// What the command line and the dashboard show of merchants and their keys.

export type MerchantSummary = {
  readonly merchant: number
  readonly name: string
  readonly live_enabled: boolean
  readonly forms_take_secret_keys: boolean
  readonly created_at: string
}

export type KeySummary = {
  readonly id: string
  readonly kind: KeyKind
  readonly mode: Mode | null
  /** Enough of the key to tell it from others. */
  readonly hint: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly ends_at: string | null
  readonly revoked_at: string | null
  /** Since when the key is known to stand in a web form. */
  readonly exposed_at: string | null
}

export async function listMerchants(db: Database): Promise<MerchantSummary[]> {
  const rows = await readMerchants(db)
  return rows.map((row) => ({
    merchant: row.id,
    name: row.name,
    live_enabled: row.live_enabled,
    forms_take_secret_keys: row.forms_take_secret_keys,
    created_at: row.created_at,
  }))
}

export async function listKeys(db: Database, merchantId: number): Promise<KeySummary[]> {
  if (!(await findMerchant(db, merchantId))) throw new Refusal('not_found', 'Merchant not found')
  const rows = await readKeys(db, merchantId)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    mode: row.mode,
    hint: row.hint,
    name: row.name,
    created_at: row.created_at,
    last_used_at: row.last_used_at,
    ends_at: row.ends_at,
    revoked_at: row.revoked_at,
    exposed_at: row.exposed_at,
  }))
}
