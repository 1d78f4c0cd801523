import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import { networkOf } from '../../../platform/input/network-of.ts'
import { installationSecret } from '../../../platform/secrets/installation-secrets.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'

// Addresses and cards are stored only as keyed hashes, different for each merchant: they don't reveal who paid where,
// and can't be brute-forced without the installation's key.

export type Marks = {
  address(merchantId: number, address: string): Promise<string>
  card(merchantId: number, number: string): Promise<string>
  /** Signs what a page gives out and gets back. */
  sign(text: string): Promise<string>
}

/** 132 bits: enough for a name, and short enough to be hashed in one block by the page's script. */
const markLength = 22
/** A page, its form and what it asks while it waits all come from one address. */
const rememberedMax = 1_000

export function makeMarks(db: Database, secrets: Secrets): Marks {
  let key: Promise<KeyObject> | undefined
  async function readKey(): Promise<KeyObject> {
    try {
      return createSecretKey(await installationSecret(db, secrets, 'card-testing'))
    } catch (error) {
      key = undefined
      throw error
    }
  }
  async function mark(kind: 'address' | 'card' | 'proof', text: string): Promise<string> {
    key ??= readKey()
    const hash = createHmac('sha256', await key).update(`${kind} ${text}`)
    return hash.digest('base64url').slice(0, markLength)
  }
  const remembered = new Map<string, string>()
  async function markAddress(merchantId: number, address: string): Promise<string> {
    const text = `${merchantId} ${networkOf(address)}`
    const known = remembered.get(text)
    if (known !== undefined) return known // No test: a cache: the result is the same
    const made = await mark('address', text)
    if (remembered.size >= rememberedMax) remembered.clear() // No test: bounds the memory
    remembered.set(text, made)
    return made
  }
  return {
    address: markAddress,
    card: async (merchantId, number) => mark('card', `${merchantId} ${number.replace(/\D/g, '')}`),
    sign: async (text) => mark('proof', text),
  }
}
