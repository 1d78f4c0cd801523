import { addAccount } from '../../../src/core/merchants/accounts/change-accounts.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import type { Secrets } from '../../../src/platform/secrets/secrets.ts'
import { freePort } from '../free-port.ts'
import { openHouse, type House, type HouseOptions } from '../house.ts'
import { signingSecretOf, startNetworks, type Networks } from './start-networks.ts'

// A Florin whose merchant takes live payments at networks' stand-ins: all but PayPal's, unless a test names others.

export type LiveHouse = House & { readonly networks: Networks; readonly accountIds: AccountIds }

export type AccountIds = Readonly<Record<'stripe' | 'gocardless' | 'paystack' | 'paypal', string>>

type LiveHouseOptions = HouseOptions & { readonly at?: readonly (keyof AccountIds)[] }

/** Networks send customers back to BASE_URL, so here that is where the server really listens. */
export async function openLiveHouse({
  at = ['stripe', 'gocardless', 'paystack'],
  ...options
}: LiveHouseOptions = {}): Promise<LiveHouse> {
  const networks = await startNetworks(options.world?.now ? { now: options.world.now } : {})
  const port = await freePort()
  const settings = {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    STRIPE_URL: networks.stripe.url,
    GOCARDLESS_URL: networks.gocardless.url,
    PAYSTACK_URL: networks.paystack.url,
    PAYPAL_URL: networks.paypal.url,
    ...options.settings,
  }
  const house = await openHouse({ ...options, settings })
  const accountIds = await connect(house.db, house.secrets, house.merchantId, networks, at)
  callBack(networks, house.url, house.merchantId)
  return {
    ...house,
    networks,
    accountIds,
    async close() {
      await house.close()
      await networks.close()
    },
  }
}

export async function connect(
  db: Database,
  secrets: Secrets,
  merchantId: number,
  { accounts }: Networks,
  at: readonly (keyof AccountIds)[] = ['stripe', 'gocardless', 'paystack', 'paypal'],
): Promise<AccountIds> {
  const ids = { stripe: '', gocardless: '', paystack: '', paypal: '' }
  for (const { connector, credentials } of accounts) {
    if (!at.includes(connector)) continue
    const account = {
      connector,
      credentials,
      label: 'Corner shop',
      sandbox: true,
      callbacks: 'set_up' as const,
    }
    const id = await addAccount(db, secrets, merchantId, account)
    if (id === undefined) throw new Error(`The merchant has an account at ${connector}`)
    ids[connector] = id
  }
  return ids
}

/** Where the networks tell what happened. */
export function callBack(networks: Networks, url: string, merchantId: number): void {
  for (const { connector } of networks.accounts) {
    const { callbacks } = networks[connector]
    callbacks.to(`${url}/callbacks/${connector}/${merchantId}`, signingSecretOf(networks, connector))
  }
}
