import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { MethodMark } from '../../../platform/money/payment-methods.ts'

// The tables connector_accounts and installation_accounts: the same, with and without a merchant.

/** The owner of an account: one merchant, or all that have none of their own. */
export type Owner = number | 'installation'

/** Whether the network knows where to send callbacks; unknown if its API doesn't say. */
export type Callbacks = 'set_up' | 'missing' | 'unknown'

export type AccountRow = {
  id: string
  connector: string
  label: string
  sandbox: boolean
  credentials: Buffer
  callbacks: Callbacks
  marks: MethodMark[]
  created_at: string
  checked_at: string
  removed_at: string | null
}

export type NewAccount = Pick<
  AccountRow,
  'id' | 'connector' | 'label' | 'sandbox' | 'credentials' | 'callbacks' | 'marks'
>

const columns = sql`id, connector, label, sandbox, credentials, callbacks, marks, created_at, checked_at, removed_at`
/** More than anybody has; the newest count. */
const accountsMax = 200

/** The living and the removed, the newest first. */
export async function listAccounts(db: Queryable, owner: Owner): Promise<AccountRow[]> {
  return owner === 'installation'
    ? db.query<AccountRow>(sql`
        select ${columns} from installation_accounts order by created_at desc, id limit ${accountsMax}`)
    : db.query<AccountRow>(sql`
        select ${columns} from connector_accounts
        where merchant_id = ${owner} order by created_at desc, id limit ${accountsMax}`)
}

/** False when the owner has an account at this network. */
export async function insertAccount(tx: Transaction, owner: Owner, account: NewAccount): Promise<boolean> {
  const { id, connector, label, sandbox, credentials, callbacks, marks } = account
  const rows =
    owner === 'installation'
      ? await tx.query(sql`
          insert into installation_accounts (id, connector, label, sandbox, credentials, callbacks, marks)
          values (${id}, ${connector}, ${label}, ${sandbox}, ${credentials}, ${callbacks}, ${marks})
          on conflict (connector) where removed_at is null do nothing
          returning id`)
      : await tx.query(sql`
          insert into connector_accounts (merchant_id, id, connector, label, sandbox, credentials, callbacks, marks)
          values (${owner}, ${id}, ${connector}, ${label}, ${sandbox}, ${credentials}, ${callbacks}, ${marks})
          on conflict (merchant_id, connector) where removed_at is null do nothing
          returning id`)
  return rows.length === 1
}

export type Checkup = Pick<AccountRow, 'label' | 'sandbox' | 'credentials' | 'callbacks' | 'marks'>

/** False when there is no such account. */
export async function updateAccount(
  tx: Transaction,
  owner: Owner,
  id: string,
  found: Checkup,
): Promise<boolean> {
  const { label, sandbox, credentials, callbacks, marks } = found
  const rows =
    owner === 'installation'
      ? await tx.query(sql`
          update installation_accounts
          set label = ${label}, sandbox = ${sandbox}, credentials = ${credentials}, callbacks = ${callbacks}, marks = ${marks},
            checked_at = now()
          where id = ${id} returning id`)
      : await tx.query(sql`
          update connector_accounts
          set label = ${label}, sandbox = ${sandbox}, credentials = ${credentials}, callbacks = ${callbacks}, marks = ${marks},
            checked_at = now()
          where merchant_id = ${owner} and id = ${id} returning id`)
  return rows.length === 1
}

/** The network's latest answer about it. False if there is no such account. */
export async function updateChecked(
  tx: Transaction,
  owner: Owner,
  id: string,
  found: Omit<Checkup, 'credentials'>,
): Promise<boolean> {
  const { label, sandbox, callbacks, marks } = found
  const rows =
    owner === 'installation'
      ? await tx.query(sql`
          update installation_accounts
          set label = ${label}, sandbox = ${sandbox}, callbacks = ${callbacks}, marks = ${marks},
            checked_at = now()
          where id = ${id} returning id`)
      : await tx.query(sql`
          update connector_accounts
          set label = ${label}, sandbox = ${sandbox}, callbacks = ${callbacks}, marks = ${marks},
            checked_at = now()
          where merchant_id = ${owner} and id = ${id} returning id`)
  return rows.length === 1
}

/** False when there is no such account, or it was removed before. */
export async function markRemoved(tx: Transaction, owner: Owner, id: string): Promise<boolean> {
  const rows =
    owner === 'installation'
      ? await tx.query(sql`
          update installation_accounts set removed_at = now() where id = ${id} and removed_at is null returning id`)
      : await tx.query(sql`
          update connector_accounts set removed_at = now()
          where merchant_id = ${owner} and id = ${id} and removed_at is null returning id`)
  return rows.length === 1
}

export type SealedRow = Pick<AccountRow, 'id' | 'credentials'>

/** All of them, to reseal them. */
export async function listSealed(db: Queryable, owner: Owner): Promise<SealedRow[]> {
  return owner === 'installation'
    ? db.query<SealedRow>(sql`select id, credentials from installation_accounts order by id`)
    : db.query<SealedRow>(sql`
        select id, credentials from connector_accounts where merchant_id = ${owner} order by id`)
}

/** False when the row is no longer what was read. */
export async function replaceSealed(
  db: Queryable,
  owner: Owner,
  row: SealedRow,
  sealed: Buffer,
): Promise<boolean> {
  const rows =
    owner === 'installation'
      ? await db.query(sql`
          update installation_accounts set credentials = ${sealed}
          where id = ${row.id} and credentials = ${row.credentials} returning id`)
      : await db.query(sql`
          update connector_accounts set credentials = ${sealed}
          where merchant_id = ${owner} and id = ${row.id} and credentials = ${row.credentials} returning id`)
  return rows.length === 1
}
