import type { Mode } from '../../merchants/mode.ts'
import type { SealedRows } from '../../../platform/secrets/reseal.ts'
import type { Place, Secrets } from '../../../platform/secrets/secrets.ts'
import { findMerchantsWithPlainSecrets, findMerchantsWithSecretsNotUnder } from './secret-look-store.ts'
import { listAllSecrets, replaceSecret, type AnySecretRow } from './secret-store.ts'

// A secret as a statement brings it along: the id of its row and the sealed bytes in hex; or, from before secrets were
// sealed, the secret itself, which has no space in it.

type Owner = {
  readonly merchantId: number
  readonly mode: Mode
  /** Endpoints have secrets of their own. */
  readonly endpointId?: string | null
}

export type OpenStored = (owner: Owner, stored: string) => string

const rememberedMax = 10_000

/**
 * Unsealing costs as much as signing (12 and 10 µs), a cache look-up 0.3. An unsealed secret is cached under everything
 * it was sealed for: a value moved to another merchant's row isn't found here, and can't be unsealed.
 */
export function makeOpenStored(secrets: Secrets): OpenStored {
  const remembered = new Map<string, string>()
  return (owner, stored) => {
    const name = `${owner.merchantId} ${owner.mode} ${owner.endpointId ?? ''} ${stored}`
    const known = remembered.get(name)
    if (known !== undefined) return known
    const opened = openStored(secrets, owner, stored)
    if (remembered.size >= rememberedMax) remembered.clear() // No test: the exact number is no promise
    remembered.set(name, opened) // No test: a cache: the result is the same
    return opened
  }
}

export function openStored(secrets: Secrets, owner: Owner, stored: string): string {
  const [id = '', hex] = stored.split(' ')
  if (hex === undefined) return stored
  return secrets.open(placeOf(owner, id), Buffer.from(hex, 'hex')).toString()
}

export function placeOf({ merchantId, mode, endpointId }: Owner, id: string): Place {
  if (endpointId)
    return {
      table: 'endpoint_secrets',
      key: `${merchantId}/${mode}/${endpointId}/${id}`,
      purpose: 'endpoint secret',
    }
  return { table: 'webhook_secrets', key: `${merchantId}/${mode}/${id}`, purpose: 'webhook secret' }
}

/** To reseal them. */
export const webhookSecretRows: SealedRows<AnySecretRow> = {
  what: 'webhook secrets',
  findOwners: async (db, after, keyId) =>
    keyId === undefined
      ? findMerchantsWithPlainSecrets(db, after)
      : findMerchantsWithSecretsNotUnder(db, after, keyId),
  list: listAllSecrets,
  stored: (row, merchantId) => ({
    place: placeOf({ merchantId, mode: row.mode }, row.id),
    plain: row.secret === null ? null : Buffer.from(row.secret),
    sealed: row.sealed,
  }),
  replace: async (db, row, sealed, merchantId) => replaceSecret(db, merchantId, row, sealed),
}
