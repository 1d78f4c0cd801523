import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import type { Dialect, KeyKind } from './key-format.ts'
import type { Mode } from './mode.ts'

// The tables merchants, merchant_currencies and keys, one merchant at a time; all merchants: all-merchants-look-store.ts.

export type MerchantRow = {
  id: number
  name: string
  email: string | null
  live_enabled: boolean
  suspended_at: string | null
  fee_basis_points: number
  forms_take_secret_keys: boolean
  refund_fees: boolean
  pay_within_minutes: number
  idle_minutes: number
  created_at: string
}

/** For form keys; null for all others. */
export type FormColumns = {
  form_hosts: string[] | null
  form_callback_hosts: string[] | null
  form_tx_ref_prefix: string | null
  form_currencies: string[] | null
  form_min_minor: bigint | null
  form_max_minor: bigint | null
  form_shows_title: boolean | null
  /** Sealed: form-secret.ts. */
  form_secret: Buffer | null
}

export type KeyRow = FormColumns & {
  merchant_id: number
  id: string
  kind: KeyKind
  mode: Mode | null
  hint: string
  name: string
  created_at: string
  last_used_at: string | null
  ends_at: string | null
  revoked_at: string | null
  exposed_at: string | null
  may_refund: boolean
  dialect: Dialect
}

/** For own-row.ts, as what follows: the installation has rows of its own in other tables, and none here. */
export const rowOfInstallation = sql`(select 0 as merchant_id) as merchant`

export function rowOf(merchantId: number): Sql {
  return sql`(select id as merchant_id from merchants where id = ${merchantId}) as merchant`
}

export type CurrencyRow = { currency: string; fee_fixed_minor: bigint }

/** False when the number is taken. */
export async function insertMerchant(
  tx: Transaction,
  merchant: { id: number; name: string; email: string | null; liveEnabled: boolean },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into merchants (id, name, email, live_enabled)
    values (${merchant.id}, ${merchant.name}, ${merchant.email}, ${merchant.liveEnabled})
    on conflict (id) do nothing
    returning id`)
  return rows.length === 1
}

export async function upsertCurrency(
  tx: Transaction,
  merchantId: number,
  currency: string,
  feeFixedMinor: bigint,
): Promise<void> {
  await tx.query(sql`
    insert into merchant_currencies (merchant_id, currency, fee_fixed_minor)
    values (${merchantId}, ${currency}, ${feeFixedMinor})
    on conflict (merchant_id, currency) do update set fee_fixed_minor = excluded.fee_fixed_minor`)
}

export async function findMerchant(db: Queryable, merchantId: number): Promise<MerchantRow | undefined> {
  const rows = await db.query<MerchantRow>(sql`
    select id, name, email, live_enabled, suspended_at, fee_basis_points, forms_take_secret_keys, refund_fees,
      pay_within_minutes, idle_minutes, created_at
    from merchants where id = ${merchantId}`)
  return rows[0]
}

export async function lockMerchant(tx: Transaction, merchantId: number): Promise<MerchantRow | undefined> {
  const rows = await tx.query<MerchantRow>(sql`
    select id, name, email, live_enabled, suspended_at, fee_basis_points, forms_take_secret_keys, refund_fees,
      pay_within_minutes, idle_minutes, created_at
    from merchants where id = ${merchantId} for update`)
  return rows[0]
}

export async function setMerchant(
  tx: Transaction,
  merchantId: number,
  set: {
    name?: string | undefined
    email?: string | undefined
    liveEnabled?: boolean | undefined
    formsTakeSecretKeys?: boolean | undefined
    refundFees?: boolean | undefined
    payWithinMinutes?: number | undefined
    idleMinutes?: number | undefined
  },
): Promise<MerchantRow | undefined> {
  const rows = await tx.query<MerchantRow>(sql`
    update merchants
    set name = coalesce(${set.name ?? null}, name),
        email = coalesce(${set.email ?? null}, email),
        live_enabled = coalesce(${set.liveEnabled ?? null}, live_enabled),
        forms_take_secret_keys = coalesce(${set.formsTakeSecretKeys ?? null}, forms_take_secret_keys),
        refund_fees = coalesce(${set.refundFees ?? null}, refund_fees),
        pay_within_minutes = coalesce(${set.payWithinMinutes ?? null}, pay_within_minutes),
        idle_minutes = coalesce(${set.idleMinutes ?? null}, idle_minutes),
        updated_at = now()
    where id = ${merchantId}
    returning id, name, email, live_enabled, suspended_at, fee_basis_points, forms_take_secret_keys, refund_fees,
      pay_within_minutes, idle_minutes, created_at`)
  return rows[0]
}

export async function listCurrencies(db: Queryable, merchantId: number): Promise<CurrencyRow[]> {
  return db.query<CurrencyRow>(sql`
    select currency, fee_fixed_minor from merchant_currencies
    where merchant_id = ${merchantId} and is_on order by currency`)
}

/** Every currency that was ever enabled or disabled. */
export async function listFees(
  db: Queryable,
  merchantId: number,
): Promise<(CurrencyRow & { is_on: boolean })[]> {
  return db.query<CurrencyRow & { is_on: boolean }>(sql`
    select currency, fee_fixed_minor, is_on from merchant_currencies
    where merchant_id = ${merchantId} order by currency`)
}

/** The fee of a currency that was ever on; undefined for another. Whoever changes it holds the merchant's lock. */
export async function findCurrency(
  tx: Transaction,
  merchantId: number,
  currency: string,
): Promise<(CurrencyRow & { is_on: boolean }) | undefined> {
  const rows = await tx.query<CurrencyRow & { is_on: boolean }>(sql`
    select currency, fee_fixed_minor, is_on from merchant_currencies
    where merchant_id = ${merchantId} and currency = ${currency}`)
  return rows[0]
}

export async function switchCurrency(
  tx: Transaction,
  merchantId: number,
  currency: string,
  isOn: boolean,
): Promise<void> {
  await tx.query(sql`
    update merchant_currencies set is_on = ${isOn} where merchant_id = ${merchantId} and currency = ${currency}`)
}

export type NewKey = FormColumns & {
  merchantId: number
  id: string
  kind: KeyKind
  mode: Mode | undefined
  hash: Buffer
  hint: string
  name: string
  may_refund: boolean
  dialect: Dialect
}

export async function insertKey(tx: Transaction, key: NewKey): Promise<void> {
  await tx.query(sql`
    insert into keys (merchant_id, id, kind, mode, hash, hint, name, form_hosts, form_callback_hosts, form_tx_ref_prefix,
      form_currencies, form_min_minor, form_max_minor, form_shows_title, form_secret, may_refund,
      dialect)
    values (${key.merchantId}, ${key.id}, ${key.kind}, ${key.mode ?? null}, ${key.hash}, ${key.hint}, ${key.name},
      ${key.form_hosts}, ${key.form_callback_hosts}, ${key.form_tx_ref_prefix}, ${key.form_currencies},
      ${key.form_min_minor}, ${key.form_max_minor}, ${key.form_shows_title}, ${key.form_secret},
      ${key.may_refund}, ${key.dialect})`)
}

export async function findKeyByHash(
  db: Queryable,
  merchantId: number,
  hash: Buffer,
): Promise<KeyRow | undefined> {
  const rows = await db.query<KeyRow>(sql`
    select merchant_id, id, kind, mode, hint, name, form_hosts, form_callback_hosts, form_tx_ref_prefix, form_currencies,
           form_min_minor, form_max_minor, form_shows_title, form_secret,
           created_at, last_used_at, ends_at, revoked_at, exposed_at, may_refund, dialect
    from keys where merchant_id = ${merchantId} and hash = ${hash}`)
  return rows[0]
}

export async function findKey(tx: Transaction, merchantId: number, id: string): Promise<KeyRow | undefined> {
  const rows = await tx.query<KeyRow>(sql`
    select merchant_id, id, kind, mode, hint, name, form_hosts, form_callback_hosts, form_tx_ref_prefix, form_currencies,
           form_min_minor, form_max_minor, form_shows_title, form_secret,
           created_at, last_used_at, ends_at, revoked_at, exposed_at, may_refund, dialect
    from keys where merchant_id = ${merchantId} and id = ${id} for update`)
  return rows[0]
}

export async function listKeys(db: Queryable, merchantId: number): Promise<KeyRow[]> {
  return db.query<KeyRow>(sql`
    select merchant_id, id, kind, mode, hint, name, form_hosts, form_callback_hosts, form_tx_ref_prefix, form_currencies,
           form_min_minor, form_max_minor, form_shows_title, form_secret,
           created_at, last_used_at, ends_at, revoked_at, exposed_at, may_refund, dialect
    from keys where merchant_id = ${merchantId} order by created_at, id`)
}

/** Revoked and ended keys too: their secrets are still secrets. */
export type FormSecretRow = { id: string; form_secret: Buffer }

export async function listFormSecrets(db: Queryable, merchantId: number): Promise<FormSecretRow[]> {
  return db.query<FormSecretRow>(sql`
    select id, form_secret from keys where merchant_id = ${merchantId} and form_secret is not null order by id`)
}

/** False when it is no longer what was read. */
export async function replaceFormSecret(
  db: Queryable,
  merchantId: number,
  before: FormSecretRow,
  sealed: Buffer,
): Promise<boolean> {
  const rows = await db.query(sql`
    update keys set form_secret = ${sealed}
    where merchant_id = ${merchantId} and id = ${before.id} and form_secret = ${before.form_secret}
    returning id`)
  return rows.length === 1
}

export async function endKey(
  tx: Transaction,
  merchantId: number,
  id: string,
  overlapHours: number,
): Promise<void> {
  await tx.query(sql`
    update keys set ends_at = least(ends_at, now() + make_interval(secs => ${overlapHours} * 3600.0))
    where merchant_id = ${merchantId} and id = ${id}`)
}

/** The key's hint; undefined when there is no such key, or it was revoked before. */
export async function markRevoked(
  tx: Transaction,
  merchantId: number,
  id: string,
): Promise<string | undefined> {
  const rows = await tx.query<{ hint: string }>(sql`
    update keys set revoked_at = now()
    where merchant_id = ${merchantId} and id = ${id} and revoked_at is null
    returning hint`)
  return rows[0]?.hint
}

/** The key's hint, the first time only. */
export async function markExposed(
  tx: Transaction,
  merchantId: number,
  id: string,
): Promise<string | undefined> {
  const rows = await tx.query<{ hint: string }>(sql`
    update keys set exposed_at = now()
    where merchant_id = ${merchantId} and id = ${id} and exposed_at is null
    returning hint`)
  return rows[0]?.hint
}

export async function touchKeys(db: Queryable, merchantId: number, ids: readonly string[]): Promise<void> {
  await db.query(sql`
    update keys set last_used_at = now() where merchant_id = ${merchantId} and id = any(${ids}::text[])`)
}

/** Tells every server, once this transaction commits, to forget what it remembers of the merchant. */
export async function announceChange(tx: Transaction, merchantId: number): Promise<void> {
  await tx.query(sql`select pg_notify('florin_merchants', ${String(merchantId)})`)
}
