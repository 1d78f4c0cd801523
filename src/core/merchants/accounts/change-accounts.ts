import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import type { MethodMark } from '../../../platform/money/payment-methods.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { announceChange } from '../store.ts'
import { bySystem, recordAct, type Actor, type Facts } from '../../audit/audit.ts'
import {
  insertAccount,
  markRemoved,
  updateAccount,
  updateChecked,
  type Callbacks,
  type Owner,
} from './account-store.ts'
import { installationNumber } from './stored-accounts.ts'
import { sealCredentials, type Credentials } from './sealed-credentials.ts'

// Add, change and remove. Each notifies all servers in the same commit, so a removed account takes no payment a second
// later, and is audited.

export type CheckedAccount = {
  readonly credentials: Credentials
  /** As the network names it, when it was asked. */
  readonly label: string
  readonly sandbox: boolean
  readonly callbacks: Callbacks
  /** The schemes and wallets it takes; left out where the network doesn't say. */
  readonly marks?: readonly MethodMark[]
}

export type AccountKey = { readonly owner: Owner; readonly id: string }

const labelLengthMax = 200

/** The id of the account; undefined when the owner has one at this network. */
export async function addAccount(
  db: Database,
  secrets: Secrets,
  owner: Owner,
  account: CheckedAccount & { readonly connector: string },
  by: Actor = bySystem,
): Promise<string | undefined> {
  const id = `acc_${randomBase62(16)}`
  const { connector } = account
  return inTransaction(db, async (tx) => {
    const stored = {
      ...rowOf(id, account),
      credentials: sealCredentials(secrets, owner, id, account.credentials),
    }
    const isNew = await insertAccount(tx, owner, { id, connector, ...stored })
    if (!isNew) return undefined
    await announceChange(tx, numberOf(owner))
    const after = { connector, ...auditFacts(account) }
    await recordAct(tx, numberOf(owner), by, { action: 'account.added', subject: id, after })
    return id
  })
}

/** New credentials of the same account at the network, or more of them. */
export async function changeAccount(
  db: Database,
  secrets: Secrets,
  { owner, id }: AccountKey,
  account: CheckedAccount,
  by: Actor = bySystem,
): Promise<void> {
  const stored = {
    ...rowOf(id, account),
    credentials: sealCredentials(secrets, owner, id, account.credentials),
  }
  await inTransaction(db, async (tx) => {
    if (!(await updateAccount(tx, owner, id, stored))) throw new Refusal('not_found', 'Account not found')
    await announceChange(tx, numberOf(owner))
    const after = auditFacts(account)
    await recordAct(tx, numberOf(owner), by, { action: 'account.changed', subject: id, after })
  })
}

/** The network's latest answer about it: nobody changed anything. */
export async function recordChecked(
  db: Database,
  { owner, id }: AccountKey,
  found: Omit<CheckedAccount, 'credentials'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await updateChecked(tx, owner, id, rowOf(id, found))))
      throw new Refusal('not_found', 'Account not found')
    await announceChange(tx, numberOf(owner))
  })
}

export async function removeAccount(
  db: Database,
  { owner, id }: AccountKey,
  by: Actor = bySystem,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await markRemoved(tx, owner, id))) throw new Refusal('not_found', 'Account not found')
    await announceChange(tx, numberOf(owner))
    await recordAct(tx, numberOf(owner), by, { action: 'account.removed', subject: id })
  })
}

function rowOf(id: string, { label, sandbox, callbacks, marks = [] }: Omit<CheckedAccount, 'credentials'>) {
  return { label: label.slice(0, labelLengthMax) || id, sandbox, callbacks, marks: [...marks] }
}

/** The names of the credentials, never what they are. */
function auditFacts({ label, sandbox, callbacks, credentials }: CheckedAccount): Facts {
  return { label, sandbox, callbacks, credentials: Object.keys(credentials) }
}

function numberOf(owner: Owner): number {
  return owner === 'installation' ? installationNumber : owner
}
