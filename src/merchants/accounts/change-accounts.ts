import { inTransaction, type Database } from '../../database/database.ts'
import { randomBase62 } from '../../database/random-id.ts'
import { Refusal } from '../../errors/refusals.ts'
import type { Secrets } from '../sealed/secrets.ts'
import { announceChange } from '../store.ts'
import { insertAccount, markRemoved, updateAccount, type Callbacks, type Owner } from './account-store.ts'
import { installationNumber } from './stored-accounts.ts'
import { sealCredentials, type Credentials } from './sealed-credentials.ts'

// Add, change and remove. Each tells all servers in the same commit, so a removed account takes no payment a second later.

export type CheckedAccount = {
  readonly credentials: Credentials
  /** As the network names it, when it was asked. */
  readonly label: string
  readonly sandbox: boolean
  readonly callbacks: Callbacks
}

const labelLengthMax = 200

/** The id of the account; undefined when the owner has one at this network. */
export async function addAccount(
  db: Database,
  secrets: Secrets,
  owner: Owner,
  account: CheckedAccount & { readonly connector: string },
): Promise<string | undefined> {
  const id = `acc_${randomBase62(16)}`
  const { connector } = account
  return inTransaction(db, async (tx) => {
    const isNew = await insertAccount(tx, owner, { id, connector, ...sealed(secrets, owner, id, account) })
    if (isNew) await announceChange(tx, numberOf(owner))
    return isNew ? id : undefined
  })
}

/** What the network said of it, and credentials that were changed or added to. */
export async function changeAccount(
  db: Database,
  secrets: Secrets,
  account: { readonly owner: Owner; readonly id: string },
  found: CheckedAccount,
): Promise<void> {
  const { owner, id } = account
  await inTransaction(db, async (tx) => {
    if (!(await updateAccount(tx, owner, id, sealed(secrets, owner, id, found))))
      throw new Refusal('not_found', 'Account not found')
    await announceChange(tx, numberOf(owner))
  })
}

export async function removeAccount(
  db: Database,
  account: { readonly owner: Owner; readonly id: string },
): Promise<void> {
  const { owner, id } = account
  await inTransaction(db, async (tx) => {
    if (!(await markRemoved(tx, owner, id))) throw new Refusal('not_found', 'Account not found')
    await announceChange(tx, numberOf(owner))
  })
}

function sealed(secrets: Secrets, owner: Owner, id: string, account: CheckedAccount) {
  return {
    label: account.label.slice(0, labelLengthMax) || id,
    sandbox: account.sandbox,
    callbacks: account.callbacks,
    credentials: sealCredentials(secrets, owner, id, account.credentials),
  }
}

function numberOf(owner: Owner): number {
  return owner === 'installation' ? installationNumber : owner
}
