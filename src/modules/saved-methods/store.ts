import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql } from '../../platform/database/sql.ts'
import type { ListPart } from '../../platform/input/cursor.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { MethodKey, MethodScope } from './keeping.ts'

// The table saved_methods. Times that say what came first are the database's own, taken under the lock of the row: of a
// statement that begins when the row is locked, as a cluster takes no clock_timestamp() in an update.

export type EndedBy = 'merchant' | 'customer' | 'network' | 'erasure'

export type MethodRow = {
  readonly merchant_id: number
  readonly id: string
  readonly mode: Mode
  readonly customer_ref: string
  readonly agreement: 'recurring' | 'unscheduled'
  /** The most per day that the customer agreed to. */
  readonly limit_minor: bigint | null
  readonly limit_currency: string
  /** Of the payment that saved it. */
  readonly number: string
  readonly connector: string
  readonly account_id: string | null
  readonly kind: 'card' | 'debit'
  readonly brand: string | null
  readonly last4: string | null
  readonly expires: string | null
  readonly saved_at: string
  readonly ended_at: string | null
  readonly ended_by: EndedBy | null
  /** Charges begun since the last one that succeeded. */
  readonly tries: readonly string[]
  readonly retry_at: string | null
  readonly charged_at: string | null
  readonly forget_tries: number
}

const methodColumns = join(
  [
    'merchant_id',
    'id',
    'mode',
    'customer_ref',
    'agreement',
    'limit_minor',
    'limit_currency',
    'number',
    'connector',
    'account_id',
    'kind',
    'brand',
    'last4',
    'expires',
    'saved_at',
    'ended_at',
    'ended_by',
    'retry_at',
    'charged_at',
    'forget_tries',
  ].map((column) => ({ text: `saved_methods.${column}`, values: [], name: undefined })),
  ', ',
)
/** As JSON: the driver would turn an array of times into dates of its own. A cluster takes that in no `returning`. */
const tries = sql`to_json(saved_methods.tries) as tries`

type NewMethod = Omit<
  MethodRow,
  'saved_at' | 'ended_at' | 'ended_by' | 'tries' | 'retry_at' | 'charged_at' | 'forget_tries'
> & { readonly token: Buffer }

/** Undefined if the payment has saved a method before. */
export async function insertMethod(tx: Transaction, method: NewMethod): Promise<MethodRow | undefined> {
  const rows = await tx.query<MethodRow>(sql`
    insert into saved_methods (merchant_id, id, mode, customer_ref, agreement, limit_minor, limit_currency, number, connector,
      account_id, kind, brand, last4, expires, token)
    values (${method.merchant_id}, ${method.id}, ${method.mode}, ${method.customer_ref}, ${method.agreement},
      ${method.limit_minor}, ${method.limit_currency}, ${method.number}, ${method.connector}, ${method.account_id},
      ${method.kind}, ${method.brand}, ${method.last4}, ${method.expires}, ${method.token})
    on conflict (merchant_id, number) do nothing
    returning ${methodColumns}, '[]'::json as tries`)
  return rows[0]
}

export async function findMethod(
  db: Queryable,
  { merchantId, mode }: MethodScope,
  id: string,
): Promise<MethodRow | undefined> {
  const rows = await db.query<MethodRow>(sql`
    select ${methodColumns}, ${tries} from saved_methods
    where merchant_id = ${merchantId} and id = ${id} and mode = ${mode}`)
  return rows[0]
}

/** By the payment that saved it. */
export async function findMethodOf(
  db: Queryable,
  { merchantId, number }: { merchantId: number; number: string },
): Promise<MethodRow | undefined> {
  const rows = await db.query<MethodRow>(sql`
    select ${methodColumns}, ${tries} from saved_methods where merchant_id = ${merchantId} and number = ${number}`)
  return rows[0]
}

export async function lockMethod(
  tx: Transaction,
  { merchantId, id }: MethodKey,
): Promise<MethodRow | undefined> {
  const rows = await tx.query<MethodRow>(sql`
    select ${methodColumns}, ${tries} from saved_methods where merchant_id = ${merchantId} and id = ${id} for update`)
  return rows[0]
}

/** Newest first. */
export async function listMethods(
  db: Queryable,
  { merchantId, mode }: MethodScope,
  { customerRef, after, limit }: ListPart & { readonly customerRef: string | undefined },
): Promise<MethodRow[]> {
  const rules = [
    sql``,
    ...(customerRef === undefined ? [] : [sql`customer_ref = ${customerRef}`]),
    ...(after ? [sql`(saved_at, id) < (${after.at}, ${after.name})`] : []),
  ]
  const statement = sql`
    select ${methodColumns}, ${tries} from saved_methods
    where merchant_id = ${merchantId} and mode = ${mode} ${join(rules, ' and ')}
    order by saved_at desc, id desc limit ${limit}`
  return db.query<MethodRow>(planEachTime(statement))
}

/** Those that a customer can pay with in this currency, newest first. */
export async function listUsable(
  db: Queryable,
  { merchantId, mode }: MethodScope,
  of: { readonly customerRef: string; readonly currency: string; readonly limit: number },
): Promise<MethodRow[]> {
  return db.query<MethodRow>(sql`
    select ${methodColumns}, ${tries} from saved_methods
    where merchant_id = ${merchantId} and mode = ${mode} and customer_ref = ${of.customerRef}
      and limit_currency = ${of.currency} and ended_at is null
    order by saved_at desc, id desc limit ${of.limit}`)
}

/** Those that these payments saved, newest first. */
export async function listMethodsOf(
  db: Queryable,
  { merchantId, mode }: MethodScope,
  numbers: readonly string[],
): Promise<MethodRow[]> {
  return db.query<MethodRow>(sql`
    select ${methodColumns}, ${tries} from saved_methods
    where merchant_id = ${merchantId} and mode = ${mode} and number = any(${numbers}::text[])
    order by saved_at desc, id desc`)
}

export async function findEnded(
  db: Queryable,
  merchantId: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select id from saved_methods
    where merchant_id = ${merchantId} and id = any(${ids}::text[]) and ended_at is not null`)
  return new Set(rows.map(({ id }) => id))
}

const countedMs = 30 * 24 * 60 * 60 * 1000

/**
 * Counts a charge that is about to begin, under the lock of its method. The database refuses one too many within 30 days, and one after the end of the
 * method.
 */
export async function countTry(tx: Transaction, { merchantId, id }: MethodKey, now: Date): Promise<void> {
  const since = new Date(now.getTime() - countedMs)
  await tx.query(sql`
    update saved_methods set charged_at = statement_timestamp(),
      tries = array(select at from unnest(tries) as at where at > ${since}::timestamptz order by at) || ${now}::timestamptz
    where merchant_id = ${merchantId} and id = ${id}`)
}

/** A charge succeeded: what was declined before no longer counts. */
export async function forgiveTries(tx: Transaction, { merchantId, id }: MethodKey): Promise<void> {
  await tx.query(sql`
    update saved_methods set tries = '{}', retry_at = null
    where merchant_id = ${merchantId} and id = ${id}`)
}

/** A charge that never reached the network did not count. */
export async function takeBackTry(tx: Transaction, { merchantId, id }: MethodKey): Promise<void> {
  await tx.query(sql`
    update saved_methods set tries = trim_array(tries, 1)
    where merchant_id = ${merchantId} and id = ${id} and cardinality(tries) > 0`)
}

export async function waitUntil(tx: Transaction, { merchantId, id }: MethodKey, at: Date): Promise<void> {
  await tx.query(sql`
    update saved_methods set retry_at = ${at} where merchant_id = ${merchantId} and id = ${id}`)
}

/** From now on it is never charged. The network is told by a job. */
export async function endRow(
  tx: Transaction,
  { merchantId, id }: MethodKey,
  { by, forgetAt }: { by: EndedBy; forgetAt: Date },
): Promise<MethodRow | undefined> {
  const [, ended, rows] = await tx.queryAll([
    sql`select id from saved_methods where merchant_id = ${merchantId} and id = ${id} for update`,
    sql`
      update saved_methods set ended_at = statement_timestamp(), ended_by = ${by}, forget_at = ${forgetAt}
      where merchant_id = ${merchantId} and id = ${id} and ended_at is null
      returning id`,
    sql`select ${methodColumns}, ${tries} from saved_methods where merchant_id = ${merchantId} and id = ${id}`,
  ])
  return ended?.length === 1 ? (rows?.[0] as MethodRow) : undefined
}
