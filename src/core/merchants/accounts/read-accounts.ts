import type { Database } from '../../../platform/database/database.ts'
import type { MethodMark } from '../../../platform/money/payment-methods.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import type { ConnectedAccount } from './accounts.ts'
import { listAccounts, type AccountRow, type Callbacks, type Owner } from './account-store.ts'
import { openCredentials, type Credentials } from './sealed-credentials.ts'

/**
 * `credentials` is unsealed when it is first read, and isn't part of what a log, a spread or JSON sees of the account:
 * pass on the account itself. Unsealing at every read took 158 µs of each live payment.
 */
export type StoredAccount = ConnectedAccount & {
  readonly owner: Owner
  /** As the network names it. */
  readonly label: string
  readonly callbacks: Callbacks
  readonly isRemoved: boolean
}

/** The living and the removed, the newest first. */
export async function readAccounts(db: Database, secrets: Secrets, owner: Owner): Promise<StoredAccount[]> {
  return (await listAccounts(db, owner)).map((row) => new SealedAccount(secrets, owner, row))
}

/**
 * From the merchant's own accounts, then the installation's: the ones it is paid through. The first at each network
 * counts.
 */
export function usableOf(accounts: readonly StoredAccount[]): StoredAccount[] {
  const living = accounts.filter(({ isRemoved }) => !isRemoved)
  return living.filter(
    (account) => living.find(({ connector }) => connector === account.connector) === account,
  )
}

/** The accounts a merchant is paid through, read now. Servers use their cache instead (stored-accounts.ts). */
export async function readUsable(
  db: Database,
  secrets: Secrets,
  merchantId: number,
): Promise<StoredAccount[]> {
  return usableOf([
    ...(await readAccounts(db, secrets, merchantId)),
    ...(await readAccounts(db, secrets, 'installation')),
  ])
}

class SealedAccount implements StoredAccount {
  readonly id: string
  readonly owner: Owner
  readonly connector: string
  readonly label: string
  readonly sandbox: boolean
  readonly callbacks: Callbacks
  readonly marks: readonly MethodMark[]
  readonly isRemoved: boolean
  readonly #secrets: Secrets
  readonly #sealed: Buffer
  #opened: Credentials | undefined

  constructor(secrets: Secrets, owner: Owner, row: AccountRow) {
    this.id = row.id
    this.owner = owner
    this.connector = row.connector
    this.label = row.label
    this.sandbox = row.sandbox
    this.callbacks = row.callbacks
    this.marks = row.marks
    this.isRemoved = row.removed_at !== null
    this.#secrets = secrets
    this.#sealed = row.credentials
  }

  get credentials(): Credentials {
    return (this.#opened ??= openCredentials(this.#secrets, this.owner, this.id, this.#sealed))
  }
}
