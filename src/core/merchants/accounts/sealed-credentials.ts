import type { SealedRows } from '../../../platform/secrets/reseal.ts'
import type { Place, Secrets } from '../../../platform/secrets/secrets.ts'
import { listSealed, replaceSealed, type Owner, type SealedRow } from './account-store.ts'
import { findMerchantsWithCredentialsNotUnder } from './owners-look-store.ts'

/** Under the names that the network's connector gives them. */
export type Credentials = Readonly<Record<string, string>>

export function sealCredentials(
  secrets: Secrets,
  owner: Owner,
  id: string,
  credentials: Credentials,
): Buffer {
  return secrets.seal(placeOf(owner, id), Buffer.from(JSON.stringify(credentials)))
}

export function openCredentials(secrets: Secrets, owner: Owner, id: string, sealed: Buffer): Credentials {
  return JSON.parse(secrets.open(placeOf(owner, id), sealed).toString()) as Credentials
}

function placeOf(owner: Owner, id: string): Place {
  return owner === 'installation'
    ? { table: 'installation_accounts', key: id, purpose: 'credentials' }
    : { table: 'connector_accounts', key: `${owner}/${id}`, purpose: 'credentials' }
}

/** To reseal them. None was ever stored in plain text. Servers forget a resealed row after a minute. */
export const merchantCredentialRows: SealedRows<SealedRow> = {
  what: 'credentials of merchants',
  findOwners: async (db, after, keyId) =>
    keyId === undefined ? [] : findMerchantsWithCredentialsNotUnder(db, after, keyId),
  list: listSealed,
  stored: ({ id, credentials }, merchantId) => ({
    place: placeOf(merchantId, id),
    plain: null,
    sealed: credentials,
  }),
  replace: async (db, row, sealed, merchantId) => replaceSealed(db, merchantId, row, sealed),
}

export const installationCredentialRows: SealedRows<SealedRow> = {
  what: 'credentials of the installation',
  findOwners: async (_db, after) => (after < 0 ? [0] : []),
  list: async (db) => listSealed(db, 'installation'),
  stored: ({ id, credentials }) => ({
    place: placeOf('installation', id),
    plain: null,
    sealed: credentials,
  }),
  replace: async (db, row, sealed) => replaceSealed(db, 'installation', row, sealed),
}
