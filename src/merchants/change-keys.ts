import { inTransaction, type Database, type Transaction } from '../database/database.ts'
import { randomBase62 } from '../database/random-id.ts'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { cardNumberRule, containsCardNumber } from '../money/card-numbers.ts'
import { boundsOf, checkBounds, columnsOf, type FormBounds } from './form-bounds.ts'
import { drawFormSecret, storedFormSecret } from './form-secret.ts'
import { hashKey, keyHint, makeKey, type KeyKind } from './key-format.ts'
import { announceChange, endKey, findKey, findMerchant, insertKey, markRevoked } from './store.ts'
import type { Mode } from './mode.ts'

// Create, roll and revoke. Each tells all servers in the same commit, so a revoked key is refused within a second.

export const overlapHoursMax = 72
const nameLengthMax = 100

export type KeyRequest = {
  readonly kind: KeyKind
  readonly mode?: Mode
  readonly name: string
  /** For a form key, which needs its hosts. */
  readonly bounds?: FormBounds
  /** A form key that takes signed forms and no others. */
  readonly isSigned?: boolean
}

export type FreshKey = {
  readonly id: string
  readonly key: string
  /** What forms of this key have to be signed with. */
  readonly formSecret?: string
}

/** The key and its secret are known here and never shown again. Of the key its hash is stored. */
export async function createKey(db: Database, merchantId: number, request: KeyRequest): Promise<FreshKey> {
  if (request.name.length < 1 || request.name.length > nameLengthMax) {
    throw brokenRule('name', `name must be 1 to ${nameLengthMax} characters`)
  }
  if (containsCardNumber(request.name)) throw brokenRule('name', `name ${cardNumberRule}`)
  const bounds = request.kind === 'form' ? checkBounds(request.bounds) : undefined
  return inTransaction(db, async (tx) => {
    if (!(await findMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    return addKey(tx, merchantId, { ...request, bounds })
  })
}

/** A new key like the old one; the old one goes on for `overlapHours`. */
export async function rollKey(
  db: Database,
  merchantId: number,
  id: string,
  overlapHours: number,
): Promise<FreshKey> {
  if (!(overlapHours >= 0 && overlapHours <= overlapHoursMax)) {
    throw brokenRule('overlap', `overlap must be 0 to ${overlapHoursMax} hours`)
  }
  return inTransaction(db, async (tx) => {
    const old = await findKey(tx, merchantId, id)
    if (!old || old.revoked_at !== null) throw new Refusal('not_found', 'Key not found')
    await endKey(tx, merchantId, id, overlapHours)
    const fresh = await addKey(tx, merchantId, {
      kind: old.kind,
      mode: old.mode ?? undefined,
      name: old.name,
      bounds: boundsOf(old),
      isSigned: old.form_secret !== null,
    })
    await announceChange(tx, merchantId)
    return fresh
  })
}

export async function revokeKey(db: Database, merchantId: number, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await markRevoked(tx, merchantId, id))) throw new Refusal('not_found', 'Key not found')
    await announceChange(tx, merchantId)
  })
}

type Addition = Pick<KeyRequest, 'kind' | 'name' | 'isSigned'> & {
  readonly mode?: Mode | undefined
  readonly bounds: FormBounds | undefined
}

async function addKey(tx: Transaction, merchantId: number, added: Addition): Promise<FreshKey> {
  const { kind } = added
  const mode = kind === 'api' ? undefined : (added.mode ?? 'test')
  const key = makeKey(kind, mode, merchantId)
  const id = `key_${randomBase62(16)}`
  const formSecret = kind === 'form' && added.isSigned === true ? drawFormSecret() : undefined
  await insertKey(tx, {
    merchantId,
    id,
    kind,
    mode,
    hash: Buffer.from(hashKey(key), 'hex'),
    hint: keyHint(key),
    name: added.name,
    ...columnsOf(added.bounds),
    form_secret: formSecret === undefined ? null : storedFormSecret(formSecret),
  })
  return { id, key, ...(formSecret !== undefined && { formSecret }) }
}
