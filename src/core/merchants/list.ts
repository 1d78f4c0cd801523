import type { Database, Queryable } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Dialect, KeyKind } from './key-format.ts'
import {
  hasLiveMerchant,
  isAnyLive,
  listMerchantNumbers as readNumbers,
  listMerchants as readMerchants,
} from './all-merchants-look-store.ts'
import { findMerchant, listKeys as readKeys, type KeyRow } from './store.ts'
import type { Mode } from './mode.ts'

// What the command line and the dashboard show about merchants and their keys.

export type MerchantSummary = {
  readonly merchant: number
  readonly name: string
  readonly live_enabled: boolean
  readonly suspended_at: string | null
  readonly forms_take_secret_keys: boolean
  readonly refund_fees: boolean
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
  /** Since when the key is known to be in a web form. */
  readonly exposed_at: string | null
  readonly may_refund: boolean
  readonly dialect: Dialect
  /** The bounds of a form key; null for other keys, and for form keys from before bounds were required. */
  readonly form: FormSummary | null
}

export type FormSummary = {
  readonly hosts: readonly string[]
  readonly callback_hosts: readonly string[] | null
  readonly tx_ref_prefix: string | null
  readonly currencies: readonly string[] | null
  readonly min_minor: number | null
  readonly max_minor: number | null
  readonly signed: boolean
  readonly shows_title: boolean
}

export async function listMerchants(db: Database): Promise<MerchantSummary[]> {
  const rows = await readMerchants(db)
  return rows.map((row) => ({
    merchant: row.id,
    name: row.name,
    live_enabled: row.live_enabled,
    suspended_at: row.suspended_at,
    forms_take_secret_keys: row.forms_take_secret_keys,
    refund_fees: row.refund_fees,
    created_at: row.created_at,
  }))
}

const numbersAtOnce = 1_000

/** The number of every merchant, in order, however many there are. */
export async function* everyMerchant(db: Database): AsyncGenerator<number> {
  let after = 0
  for (;;) {
    const numbers = await readNumbers(db, after, numbersAtOnce)
    yield* numbers
    if (numbers.length < numbersAtOnce) return
    after = numbers.at(-1) ?? after
  }
}

/** Whether some merchant may, of all or of these. */
export async function takesLivePayments(db: Queryable, merchantIds?: readonly number[]): Promise<boolean> {
  return merchantIds ? isAnyLive(db, merchantIds) : hasLiveMerchant(db)
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
    may_refund: row.may_refund,
    dialect: row.dialect,
    form: formOf(row),
  }))
}

function formOf(row: KeyRow): FormSummary | null {
  if (row.form_hosts === null) return null
  const isSigned = row.form_secret !== null
  return {
    hosts: row.form_hosts,
    callback_hosts: row.form_callback_hosts,
    tx_ref_prefix: row.form_tx_ref_prefix,
    currencies: row.form_currencies,
    min_minor: row.form_min_minor === null ? null : Number(row.form_min_minor),
    max_minor: row.form_max_minor === null ? null : Number(row.form_max_minor),
    signed: isSigned,
    shows_title: isSigned || row.form_shows_title !== false,
  }
}
