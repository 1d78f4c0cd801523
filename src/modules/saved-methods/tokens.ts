import type { Database } from '../../platform/database/database.ts'
import type { SealedRows } from '../../platform/secrets/reseal.ts'
import type { Place, Secrets } from '../../platform/secrets/secrets.ts'
import { findMerchantsWithTokensNotUnder } from './due-look-store.ts'
import type { MethodKey } from './keeping.ts'
import { findToken, listTokens, replaceToken, type TokenRow } from './token-store.ts'

// A network's token moves money, so it is sealed like a secret key, and bound to its row.

export function sealToken(secrets: Secrets, key: MethodKey, token: string): Buffer {
  return secrets.seal(placeOf(key), Buffer.from(token))
}

/** Undefined once the network has forgotten the method. */
export async function openToken(
  { db, secrets }: { readonly db: Database; readonly secrets: Secrets },
  key: MethodKey,
): Promise<string | undefined> {
  const sealed = await findToken(db, key)
  return sealed && secrets.open(placeOf(key), sealed).toString()
}

function placeOf({ merchantId, id }: MethodKey): Place {
  return { table: 'saved_methods', key: `${merchantId}/${id}`, purpose: 'token' }
}

/** None was ever stored in plain text. */
export const tokenRows: SealedRows<TokenRow> = {
  what: 'tokens of saved methods',
  findOwners: async (db, after, keyId) =>
    keyId === undefined ? [] : findMerchantsWithTokensNotUnder(db, after, keyId),
  list: listTokens,
  stored: ({ id, token }, merchantId) => ({ place: placeOf({ merchantId, id }), plain: null, sealed: token }),
  replace: async (db, row, sealed, merchantId) => replaceToken(db, merchantId, row, sealed),
}
