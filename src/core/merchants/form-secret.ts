import { randomBase62 } from '../../platform/database/random-id.ts'
import { findMerchantsWithFormSecretsNotUnder } from './all-merchants-look-store.ts'
import type { Authenticated } from './authenticate.ts'
import type { SealedRows } from '../../platform/secrets/reseal.ts'
import type { Place, Secrets } from '../../platform/secrets/secrets.ts'
import { listFormSecrets, replaceFormSecret, type FormSecretRow } from './store.ts'

// A form key that takes signed forms has a secret of its own, which the merchant's program signs with. It is shown once.
// Florin has to compute with it, so it can't be kept as a hash: it is sealed.

const prefix = 'fsec_'

/** 43 characters of base62 are 256 bits. */
export function drawFormSecret(): string {
  return prefix + randomBase62(43)
}

export function sealFormSecret(secrets: Secrets, merchantId: number, keyId: string, secret: string): Buffer {
  return secrets.seal(placeOf(merchantId, keyId), Buffer.from(secret))
}

/** Undefined for a key that takes forms as they are. */
export function openFormSecret(
  secrets: Secrets,
  { merchant, keyId, sealedFormSecret }: Pick<Authenticated, 'merchant' | 'keyId' | 'sealedFormSecret'>,
): string | undefined {
  return sealedFormSecret && secrets.open(placeOf(merchant.id, keyId), sealedFormSecret).toString()
}

function placeOf(merchantId: number, keyId: string): Place {
  return { table: 'keys', key: `${merchantId}/${keyId}`, purpose: 'form secret' }
}

/** To reseal them. None was ever stored in plain text. */
export const formSecretRows: SealedRows<FormSecretRow> = {
  what: 'form secrets',
  findOwners: async (db, after, keyId) =>
    keyId === undefined ? [] : findMerchantsWithFormSecretsNotUnder(db, after, keyId),
  list: listFormSecrets,
  stored: (row, merchantId) => ({
    place: placeOf(merchantId, row.id),
    plain: null,
    sealed: row.form_secret,
  }),
  replace: async (db, row, sealed, merchantId) => replaceFormSecret(db, merchantId, row, sealed),
}
