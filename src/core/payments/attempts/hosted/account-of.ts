import type { HostedConnector } from '../../../networks/hosted.ts'
import type { ConnectedAccount } from '../../../merchants/accounts/accounts.ts'
import type { Mode } from '../../../merchants/mode.ts'
import type { AttemptRow } from '../attempt-store.ts'
import type { Paying } from '../paying.ts'

export type Reached = { readonly connector: HostedConnector; readonly account: ConnectedAccount }

/** The accounts that payments of this mode may be started with, each with its connector. */
export async function accountsFor(paying: Paying, merchantId: number, mode: Mode): Promise<Reached[]> {
  const hosted = paying.connectors.filter(isHosted).filter((connector) => connector.mode === mode)
  const stored = hosted.some(needsCredentials) ? await paying.accounts.of(merchantId, mode) : []
  const reached = stored.flatMap((account) => {
    const connector = hosted.find(({ name }) => name === account.connector)
    return connector ? [{ connector, account }] : []
  })
  const builtIn = hosted.filter((connector) => !needsCredentials(connector))
  return [...reached, ...builtIn.map((connector) => ({ connector, account: builtInAccount(connector) }))]
}

/** The account to call an attempt's network with. Throws if the account is gone: the attempt is retried later. */
export async function accountOf(
  paying: Pick<Paying, 'connectors' | 'accounts'>,
  attempt: Pick<AttemptRow, 'merchant_id' | 'connector' | 'account_id'>,
): Promise<Reached> {
  const connector = paying.connectors.filter(isHosted).find(({ name }) => name === attempt.connector)
  if (!connector || attempt.account_id === null)
    throw new Error(`There is no connector ${attempt.connector} with a page of its own`)
  if (!needsCredentials(connector)) return { connector, account: builtInAccount(connector) }
  const account = await paying.accounts.byId(attempt.merchant_id, attempt.account_id)
  if (account?.connector !== connector.name) throw new Error(`There is no account ${attempt.account_id}`)
  return { connector, account }
}

function isHosted(connector: Paying['connectors'][number]): connector is HostedConnector {
  return connector.kind === 'hosted'
}

function needsCredentials({ credentials }: HostedConnector): boolean {
  return credentials.length > 0
}

/** For a network without credentials: every merchant has it, and no table holds it. */
function builtInAccount({ name }: HostedConnector): ConnectedAccount {
  return { id: `acc_${name}`, connector: name, credentials: {}, sandbox: true }
}
