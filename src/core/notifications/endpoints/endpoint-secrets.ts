import { inTransaction, type Database, type Transaction } from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import { brokenRule } from '../../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import type { SealedRows } from '../../../platform/secrets/reseal.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { drawSecret } from '../ipn/signature.ts'
import { placeOf } from '../ipn/stored-secret.ts'
import { overlapHoursMax } from '../ipn/webhook-secrets.ts'
import { findMerchantsWithEndpointSecretsNotUnder } from './endpoint-secret-look-store.ts'
import {
  endEndpointSecret,
  insertEndpointSecret,
  listSealedSecrets,
  listValidSecrets,
  replaceSealedSecret,
  type SealedSecret,
  type ValidSecret,
} from './endpoint-secret-store.ts'
import { lockEndpoint, type NamedEndpoint } from './endpoint-store.ts'
import { findEndpoint } from './find-endpoints.ts'

// Each endpoint has a secret of its own. It is shown when it is drawn and never again: who has lost it rolls it.

type SecretStore = { readonly db: Database; readonly secrets: Secrets }

export async function drawEndpointSecret(
  secrets: Secrets,
  tx: Transaction,
  { merchantId, mode, id: endpointId }: NamedEndpoint,
): Promise<string> {
  const id = `whs_${randomBase62(16)}`
  const secret = drawSecret()
  const sealed = secrets.seal(placeOf({ merchantId, mode, endpointId }, id), Buffer.from(secret))
  await insertEndpointSecret(tx, { merchantId, endpointId }, { id, sealed })
  return secret
}

/** Returns the new secret. During the overlap notifications carry a signature of each. */
export async function rollEndpointSecret(
  { db, secrets }: SecretStore,
  of: NamedEndpoint,
  overlapHours: number,
  by: Actor,
  now: Date = new Date(),
): Promise<string> {
  if (!(overlapHours >= 0 && overlapHours <= overlapHoursMax)) {
    throw brokenRule('overlap_hours', `overlap_hours must be 0 to ${overlapHoursMax}`)
  }
  return inTransaction(db, async (tx) => {
    await lockEndpoint(tx, of)
    await findEndpoint(tx, of)
    const endsAt = new Date(now.getTime() + overlapHours * 3_600_000)
    await endEndpointSecret(tx, { merchantId: of.merchantId, endpointId: of.id }, endsAt)
    const secret = await drawEndpointSecret(secrets, tx, of)
    const after = { mode: of.mode, overlap_hours: overlapHours }
    await recordAct(tx, of.merchantId, by, { action: 'endpoint.secret_rolled', subject: of.id, after })
    return secret
  })
}

export async function validEndpointSecrets(
  db: Database,
  { merchantId, id: endpointId }: NamedEndpoint,
  now: Date,
): Promise<ValidSecret[]> {
  return listValidSecrets(db, { merchantId, endpointId }, now)
}

/** To reseal them. */
export const endpointSecretRows: SealedRows<SealedSecret> = {
  what: 'endpoint secrets',
  // There was never a plain one.
  findOwners: async (db, after, keyId) =>
    keyId === undefined ? [] : findMerchantsWithEndpointSecretsNotUnder(db, after, keyId),
  list: listSealedSecrets,
  stored: ({ mode, endpoint_id: endpointId, id, sealed }, merchantId) => ({
    place: placeOf({ merchantId, mode, endpointId }, id),
    plain: null,
    sealed,
  }),
  replace: async (db, row, sealed, merchantId) => replaceSealedSecret(db, merchantId, row, sealed),
}
