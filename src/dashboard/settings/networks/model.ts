import { callbackUrl } from '../../../core/networks/connect/callback-url.ts'
import { isCredential, missingCredentials } from '../../../core/networks/connect/credential-rules.ts'
import type { HostedConnector } from '../../../core/networks/hosted.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { listAccounts, type AccountSummary } from '../../../core/merchants/accounts/list-accounts.ts'
import { readAccounts } from '../../../core/merchants/accounts/read-accounts.ts'
import type { Credentials, Owner, StoredAccount } from '../../../core/merchants/accounts/stored-accounts.ts'
import type { MemberAsk } from '../../ask.ts'

// A network for one merchant: with its own account, the installation's, or none.

export type NetworkState = {
  readonly network: HostedConnector
  readonly account: AccountSummary | undefined
  /** The network's last callback for this merchant. */
  readonly calledAt: Date | undefined
}

export async function networkStates(ask: MemberAsk): Promise<NetworkState[]> {
  const { dashboard, place } = ask
  const own = await living(ask, place.merchant.id)
  const shared = await living(ask, 'installation')
  const accounts = dashboard.live.networks.map(({ name }) =>
    [...own, ...shared].find(({ connector }) => connector === name),
  )
  const ids = accounts.flatMap((account) => (account ? [account.id] : []))
  const called = await dashboard.lastCallbacks(place.merchant.id, ids)
  return dashboard.live.networks.map((network, at) => {
    const account = accounts[at]
    return { network, account, calledAt: account && called.get(account.id) }
  })
}

async function living({ core }: MemberAsk, owner: Owner): Promise<AccountSummary[]> {
  return (await listAccounts(core.db, owner)).filter(({ removed_at }) => removed_at === null)
}

export function networkOf(ask: MemberAsk): HostedConnector {
  const network = ask.dashboard.live.networks.find(({ name }) => name === ask.params['network'])
  if (!network) throw new Refusal('not_found')
  return network
}

export async function stateOf(ask: MemberAsk): Promise<NetworkState> {
  const { name } = networkOf(ask)
  const state = (await networkStates(ask)).find(({ network }) => network.name === name)
  if (!state) throw new Refusal('not_found')
  return state
}

/** The merchant's own account. The installation's can't be changed here. */
export async function ownAccount(ask: MemberAsk): Promise<StoredAccount> {
  const { name } = networkOf(ask)
  const accounts = await readAccounts(ask.core.db, ask.dashboard.secrets, ask.place.merchant.id)
  const account = accounts.find(({ connector, isRemoved }) => connector === name && !isRemoved)
  if (!account) throw new Refusal('not_found')
  return account
}

export function connectingOf({ core, dashboard }: MemberAsk) {
  return { db: core.db, secrets: dashboard.secrets, baseUrl: dashboard.baseUrl }
}

export function callbackAddress({ dashboard }: MemberAsk, connector: string, owner: Owner): string {
  return callbackUrl(dashboard.baseUrl, connector, owner)
}

/** Fields left empty keep their value. No message repeats a credential. */
export function readCredentials(
  ask: MemberAsk,
  network: HostedConnector,
  before: Credentials = {},
): Credentials {
  const given: Record<string, string> = {}
  for (const { name, label } of network.credentials) {
    const value = (ask.fields.get(name) ?? '').trim()
    if (value === '') continue
    if (!isCredential(value))
      throw brokenRule(name, `${label} must be one word, as ${network.label} shows it, without spaces`)
    given[name] = value
  }
  const all = { ...before, ...given }
  const [missing] = missingCredentials(network, all)
  if (missing) throw brokenRule(missing.name, `Enter the ${missing.label.toLowerCase()}`)
  return all
}
