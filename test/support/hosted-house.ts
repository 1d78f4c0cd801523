import { makeTestBank } from '../../src/core/test-network/bank/bank.ts'
import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import { Database } from '../../src/platform/database/database.ts'
import type { Accounts, ConnectedAccount } from '../../src/core/merchants/accounts/accounts.ts'
import { createTestDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { asLive } from './hosted-choice.ts'
import { openHouse, type House } from './house.ts'

// A house with a live network: the test bank plays it, on an origin of its own. Networks send customers back to
// BASE_URL, so here that is where the server really listens.

export type HostedHouse = House & {
  /** Whom the live network pays; a test puts accounts in and takes them out. */
  readonly accounts: ConnectedAccount[]
}

export async function openHostedHouse(changes: Partial<HostedConnector> = {}): Promise<HostedHouse> {
  const database = await createTestDatabase()
  const db = new Database(database.url)
  const port = await freePort()
  const accounts: ConnectedAccount[] = []
  const stored: Accounts = {
    of: async (_merchantId, mode) => (mode === 'live' ? [...accounts] : []),
    byId: async (_merchantId, id) => accounts.find((account) => account.id === id),
  }
  // The same server by another name is another origin for a browser.
  const bank = makeTestBank(db, `http://localhost:${port}`, () => new Date())
  const methods = () => ['card', 'bank'] as const
  const house = await openHouse({
    databaseUrl: database.url,
    settings: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, MISS_LIMIT_PER_SECOND: '1000' },
    world: { connectors: [asLive(bank, 'Stand-in', { methods, ...changes })], accounts: stored },
  })
  return {
    ...house,
    accounts,
    async close() {
      await house.close()
      await db.close()
      await database.drop()
    },
  }
}
