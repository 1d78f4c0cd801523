import type { Database } from '../../../platform/database/database.ts'
import type { Listener } from '../../../platform/database/listen.ts'
import { makeMemory } from '../memory.ts'
import type { Mode } from '../mode.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import type { Callbacks, Owner } from './account-store.ts'
import { findMerchantsWithAccounts } from './owners-look-store.ts'
import { readAccounts, usableOf, type StoredAccount } from './read-accounts.ts'
import type { Credentials } from './sealed-credentials.ts'

export type { Callbacks, Credentials, Owner, StoredAccount }

// Accounts at networks. Rows are cached as stored, sealed, and forgotten on every server when one of them changes
// (memory.ts): a live payment's page makes no query for them.

/** Accounts, with more to see of each. */
export type StoredAccounts = {
  /** A merchant's own, and the installation's at networks where it has none. */
  of(merchantId: number, mode: Mode): Promise<readonly StoredAccount[]>
  /** Even after it was removed; undefined for another owner's account. */
  byId(merchantId: number, id: string): Promise<StoredAccount | undefined>
  /**
   * Accounts that may have signed a callback to this address: active ones, then removed ones, whose disputes arrive for
   * months. For a merchant without accounts there is no query, so guessing numbers costs nothing.
   */
  behindCallback(owner: Owner, connector: string): Promise<readonly StoredAccount[]>
}

/** A forged callback is held against the secret of each. */
const removedHeardMax = 5

/** Under which the installation's own are remembered and announced. No merchant has this number. */
export const installationNumber = 0

export function makeStoredAccounts(
  db: Database,
  listener: Listener,
  secrets: Secrets,
  now: () => number = Date.now,
): StoredAccounts {
  const memory = makeMemory<readonly StoredAccount[]>(listener, now)
  const mayHave = makeOwners(db, listener)

  async function all(owner: Owner): Promise<readonly StoredAccount[]> {
    const number = owner === 'installation' ? installationNumber : owner
    const read = async (): Promise<readonly StoredAccount[]> => readAccounts(db, secrets, owner)
    return memory.recall(String(number)) ?? (await memory.find(number, String(number), read)) ?? []
  }

  async function reachable(merchantId: number): Promise<readonly StoredAccount[]> {
    // Without a merchant: only the installation's own accounts.
    if (merchantId === installationNumber) return all('installation')
    const [own, shared] = await Promise.all([all(merchantId), all('installation')])
    return [...own, ...shared]
  }

  return {
    async of(merchantId, mode) {
      // Test mode never leaves the machine, whatever a merchant has.
      if (mode === 'test') return []
      return usableOf(await reachable(merchantId))
    },
    async byId(merchantId, id) {
      return (await reachable(merchantId)).find((account) => account.id === id)
    },
    async behindCallback(owner, connector) {
      if (owner !== 'installation' && !(await mayHave(owner))) return []
      const there = (await all(owner)).filter((account) => account.connector === connector)
      const [removed, living] = [true, false].map((is) => there.filter(({ isRemoved }) => isRemoved === is))
      return [...(living ?? []), ...(removed ?? []).slice(0, removedHeardMax)]
    },
  }
}

/** Whether a merchant may have accounts: never wrongly no. Read once, and told of each that has its first. */
function makeOwners(db: Database, listener: Listener): (merchantId: number) => Promise<boolean> {
  let known: Promise<Set<number>> | undefined
  let heard = new Set<number>()
  listener.onConnect(() => {
    known = undefined
  })
  listener.on('florin_merchants', (merchantId) => void heard.add(Number(merchantId)))

  async function read(): Promise<Set<number>> {
    heard = new Set()
    return new Set(await findMerchantsWithAccounts(db))
  }

  return async (merchantId) => {
    // Without a listener: an account may have been added without our noticing.
    if (!listener.connected) return true
    known ??= read().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return (await known).has(merchantId) || heard.has(merchantId)
  }
}
