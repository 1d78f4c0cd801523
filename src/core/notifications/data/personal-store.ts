import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'

// Deliveries about a customer's payments, in the tables deliveries and delivery_attempts, and the names of their receivers.

export type PersonalDelivery = {
  readonly id: string
  readonly kind: 'ipn' | 'mail'
  readonly mode: Mode
  readonly state: string
  readonly target: string
  readonly origin: string
  readonly endpoint_id: string | null
  readonly body: string
}

export async function lockDeliveriesOf(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<PersonalDelivery[]> {
  return tx.query<PersonalDelivery>(sql`
    select id, kind, mode, state, target, origin, endpoint_id, body from deliveries
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by id for update`)
}

type PersonalReceiver = { readonly mode: Mode; readonly origin: string }
export type RenamedReceiver = PersonalReceiver & { readonly renamed: string }

/** Receivers of these payments' deliveries, and receivers with any address in their name. Locked before deliveries, as in lockPaused. */
export async function lockReceiversOf(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<PersonalReceiver[]> {
  return tx.query<PersonalReceiver>(sql`
    select mode, origin from receivers
    where merchant_id = ${merchantId} and (origin ~ '@|%(25)*40' or origin in (
      select origin from deliveries where merchant_id = ${merchantId} and number = any(${numbers}::text[])))
    order by mode, origin for update`)
}

/** A paused receiver stays paused under its new name. The old one stays for deliveries of others that wait for it. */
export async function forgetReceivers(
  tx: Transaction,
  merchantId: number,
  receivers: readonly RenamedReceiver[],
): Promise<void> {
  const changed = receivers.filter(({ origin, renamed }) => renamed !== origin)
  if (changed.length === 0) return
  await tx.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, paused_at, last_failed_at)
    select distinct on (mode, renamed) receivers.merchant_id, mode, renamed, failing_since, paused_at, last_failed_at
    from receivers join json_to_recordset(${JSON.stringify(changed)}) as changed (mode text, origin text, renamed text)
      using (mode, origin)
    where receivers.merchant_id = ${merchantId}
    order by mode, renamed, paused_at
    on conflict (merchant_id, mode, origin) do nothing`)
  await tx.query(sql`
    delete from receivers
    using json_to_recordset(${JSON.stringify(changed)}) as changed (mode text, origin text)
    where receivers.merchant_id = ${merchantId} and receivers.mode = changed.mode and receivers.origin = changed.origin
      and not exists (
        select from endpoints
        where endpoints.merchant_id = ${merchantId} and endpoints.mode = changed.mode and url = changed.origin)
      and not exists (
        select from deliveries
        where deliveries.merchant_id = ${merchantId} and deliveries.mode = changed.mode
          and deliveries.origin = changed.origin and state = 'waiting')
      and not exists (
        select from deliveries
        where deliveries.merchant_id = ${merchantId} and deliveries.mode = changed.mode
          and deliveries.origin = changed.origin and state = 'paused')`)
}

/** `is_ended`: it was a mail to the customer that waited, and is not sent any more. */
export async function redactDeliveries(
  tx: Transaction,
  merchantId: number,
  told: readonly (Pick<PersonalDelivery, 'id' | 'target' | 'origin' | 'body'> & {
    readonly is_ended: boolean
  })[],
): Promise<void> {
  await tx.query(sql`
    update deliveries
    set target = new.target, origin = new.origin, body = new.body,
        state = case when new.is_ended then 'skipped' else state end,
        next_try_at = case when new.is_ended then null else next_try_at end,
        finished_at = case when new.is_ended then new.at else finished_at end
    from (
      -- The time is here and not in the CASE above, where a cluster takes none.
      select *, now() as at
      from json_to_recordset(${JSON.stringify(told)}) as told (
        id text, target text, origin text, body text, is_ended boolean)
    ) as new
    where deliveries.merchant_id = ${merchantId} and deliveries.id = new.id`)
}

/** Receivers' answers may repeat the payload; mail servers' answers name the address. */
export async function forgetAnswers(
  tx: Transaction,
  merchantId: number,
  ids: readonly string[],
): Promise<void> {
  // No test of "(answer is not null or error like '%@%')": saves writing what is already there
  await tx.query(sql`
    update delivery_attempts
    set answer = null, error = case when error like '%@%' then 'erased' else error end
    where merchant_id = ${merchantId} and delivery_id = any(${ids}::text[])
      and (answer is not null or error like '%@%')`)
}

export async function readDeliveries(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<object[]> {
  const rows = await db.query<{ row: object }>(sql`
    select to_json(deliveries) as row from deliveries
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by created_at, id`)
  return rows.map(({ row }) => row)
}
