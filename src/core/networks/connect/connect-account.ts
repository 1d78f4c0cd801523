import type { Database } from '../../../platform/database/database.ts'
import type { Actor } from '../../audit/audit.ts'
import {
  addAccount,
  changeAccount,
  recordChecked,
  removeAccount,
} from '../../merchants/accounts/change-accounts.ts'
import { listAccounts, type AccountSummary } from '../../merchants/accounts/list-accounts.ts'
import type { Credentials, Owner, StoredAccount } from '../../merchants/accounts/stored-accounts.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import type { HostedConnector } from '../hosted.ts'
import { callbackUrl } from './callback-url.ts'
import { askInTime, checkAccount, type Answer } from './check-account.ts'

// Connects accounts at networks, for the command line and the dashboard: the network is asked first, then its answer is
// stored with the credentials. Nothing is stored that didn't work.

export type Connecting = {
  readonly db: Database
  readonly secrets: Secrets
  readonly baseUrl: string
}

type Works = Extract<Answer, { kind: 'works' }>
type Fails = Exclude<Answer, Works>

/** The account that takes payments for this owner at this network. */
export async function livingAccount(
  db: Database,
  owner: Owner,
  connector: string,
): Promise<AccountSummary | undefined> {
  const accounts = await listAccounts(db, owner)
  return accounts.find((account) => account.connector === connector && account.removed_at === null)
}

export type Connected =
  | { readonly kind: 'connected'; readonly id: string; readonly answer: Works }
  | { readonly kind: 'fails'; readonly answer: Fails }
  /** Somebody was quicker: an owner has one account at a network. */
  | { readonly kind: 'taken' }

export async function connectAccount(
  { db, secrets, baseUrl }: Connecting,
  network: HostedConnector,
  { owner, credentials }: { readonly owner: Owner; readonly credentials: Credentials },
  by: Actor,
): Promise<Connected> {
  const tried = { id: 'acc_new', credentials, sandbox: network.isSandbox(credentials) }
  const answer = await checkAccount(network, tried, callbackUrl(baseUrl, network.name, owner))
  if (answer.kind !== 'works') return { kind: 'fails', answer }
  const { accountName: label, sandbox, callbacks, marks = [] } = answer
  const account = { connector: network.name, credentials, label, sandbox, callbacks, marks }
  const id = await addAccount(db, secrets, owner, account, by)
  return id === undefined ? { kind: 'taken' } : { kind: 'connected', id, answer }
}

export type Changed =
  | { readonly kind: 'changed'; readonly answer: Works }
  | { readonly kind: 'fails'; readonly answer: Fails }
  /** Payments that are under way would be asked about at an account that does not have them. */
  | { readonly kind: 'other_account'; readonly label: string }

/** New credentials of the same account at the network. */
export async function changeCredentials(
  { db, secrets, baseUrl }: Connecting,
  network: HostedConnector,
  { account, credentials }: { readonly account: StoredAccount; readonly credentials: Credentials },
  by: Actor,
): Promise<Changed> {
  const tried = { id: account.id, credentials, sandbox: network.isSandbox(credentials) }
  const answer = await checkAccount(network, tried, callbackUrl(baseUrl, network.name, account.owner))
  if (answer.kind !== 'works') return { kind: 'fails', answer }
  const { accountName: label, sandbox, callbacks, marks = [] } = answer
  if (sandbox !== account.sandbox || identityOf(label) !== identityOf(account.label))
    return { kind: 'other_account', label }
  await changeAccount(db, secrets, account, { credentials, label, sandbox, callbacks, marks }, by)
  return { kind: 'changed', answer }
}

/** The network's current answer, stored beside the account. */
export async function testAccount(
  { db, baseUrl }: Pick<Connecting, 'db' | 'baseUrl'>,
  network: HostedConnector,
  account: StoredAccount,
): Promise<Answer> {
  const answer = await checkAccount(network, account, callbackUrl(baseUrl, network.name, account.owner))
  if (answer.kind !== 'works') return answer
  const { accountName: label, sandbox, callbacks, marks = [] } = answer
  await recordChecked(db, account, { label, sandbox, callbacks, marks })
  return answer
}

/** `not_made`: the network gave no answer, or its API makes none. */
export type SetUp = Answer | { readonly kind: 'not_made'; readonly why: string }

/** Makes the endpoint at the network, and says what the network says then. */
export async function setUpCallbacks(
  { db, secrets, baseUrl }: Connecting,
  network: HostedConnector,
  account: StoredAccount,
  by: Actor,
): Promise<SetUp> {
  if (!network.setUpCallback) return { kind: 'not_made', why: 'create it by hand' }
  const url = callbackUrl(baseUrl, account.connector, account.owner)
  const made = await askInTime(async (signal) => network.setUpCallback?.(account, url, signal))
  if (made.kind === 'no_answer') return { kind: 'not_made', why: made.why }
  const credentials = { ...account.credentials, ...made.value }
  const { id, label, sandbox, marks = [] } = account
  // First of all: the network shows the secret only this once.
  const changed = { credentials, label, sandbox, callbacks: 'set_up', marks } as const
  await changeAccount(db, secrets, account, changed, by)
  const answer = await checkAccount(network, { id, sandbox, credentials }, url)
  if (answer.kind === 'works' && answer.callbacks !== 'set_up')
    await recordChecked(db, account, { label, sandbox, callbacks: answer.callbacks, marks })
  return answer
}

/** It takes no new payments, while those under way come to their end. */
export async function disconnectAccount(db: Database, account: StoredAccount, by: Actor): Promise<void> {
  await removeAccount(db, account, by)
}

/** The network's own id of the account, in brackets: its name may change. */
export function identityOf(label: string): string {
  return /\(([^()]+)\)$/.exec(label)?.[1] ?? label
}
