import { inTransaction, makeOnce, type Database, type Transaction } from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { cardNumberRule, containsCardNumber } from '../../platform/money/card-numbers.ts'
import { bySystem, recordAct, type Actor, type Facts } from '../audit/audit.ts'
import { boundsOf, checkBounds, columnsOf, type FormBounds } from './form-bounds.ts'
import { drawFormSecret, sealFormSecret } from './form-secret.ts'
import { hashKey, keyHint, makeKey, type Dialect, type KeyKind } from './key-format.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { announceChange, endKey, findKey, findMerchant, insertKey, markRevoked } from './store.ts'
import type { Mode } from './mode.ts'

// Create, roll and revoke. Each notifies all servers in the same commit, so a revoked key is refused within a second.

export const overlapHoursMax = 72
const nameLengthMax = 100

export type KeyRequest = {
  /** For who asks for one key and may ask twice: the second time it was made before. */
  readonly id?: string
  readonly kind: KeyKind
  readonly mode?: Mode
  readonly name: string
  /** For a form key, which needs its hosts. */
  readonly bounds?: FormBounds
  /** For a form key that takes signed forms and no others: what seals its secret. */
  readonly signing?: Secrets
  /** False: a secret key that can do all but give money back. */
  readonly mayRefund?: boolean
  /** Not for an API key: projects are the same for every program. */
  readonly dialect?: Dialect
}

export type FreshKey = {
  readonly id: string
  readonly key: string
  /** The secret that forms of this key must be signed with. */
  readonly formSecret?: string
}

/** The key and its secret are known here and never shown again. The key is stored as its hash, the secret sealed. */
export async function createKey(
  db: Database,
  merchantId: number,
  request: KeyRequest,
  by: Actor = bySystem,
): Promise<FreshKey> {
  if (request.name.length < 1 || request.name.length > nameLengthMax) {
    throw brokenRule('name', `name must be 1 to ${nameLengthMax} characters`)
  }
  if (containsCardNumber(request.name)) throw brokenRule('name', `name ${cardNumberRule}`)
  const bounds = request.kind === 'form' ? checkBounds(request.bounds) : undefined
  return addOnce(db, async (tx) => {
    if (!(await findMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    const { facts, ...fresh } = await addKey(tx, merchantId, { ...request, bounds })
    await recordAct(tx, merchantId, by, { action: 'key.created', subject: fresh.id, after: facts })
    return fresh
  })
}

/**
 * A new key like the old one; the old one goes on for `overlapHours`. `signing`: for a key that takes signed forms; `newId`: of
 * the new one, for who may ask twice.
 */
export async function rollKey(
  db: Database,
  merchantId: number,
  id: string,
  overlapHours: number,
  by: Actor = bySystem,
  { signing, newId }: { readonly signing?: Secrets; readonly newId?: string } = {},
): Promise<FreshKey> {
  if (!(overlapHours >= 0 && overlapHours <= overlapHoursMax)) {
    throw brokenRule('overlap', `overlap must be 0 to ${overlapHoursMax} hours`)
  }
  return addOnce(db, async (tx) => {
    const old = await findKey(tx, merchantId, id)
    if (!old || old.revoked_at !== null) throw new Refusal('not_found', 'Key not found')
    const isSigned = old.form_secret !== null
    if (isSigned && !signing) throw new Error('A key for signed forms needs a key ring to seal its secret')
    await endKey(tx, merchantId, id, overlapHours)
    const { facts, ...fresh } = await addKey(tx, merchantId, {
      ...(newId !== undefined && { id: newId }),
      kind: old.kind,
      mode: old.mode ?? undefined,
      name: old.name,
      bounds: boundsOf(old),
      ...(isSigned && signing && { signing }),
      mayRefund: old.may_refund,
      dialect: old.dialect,
    })
    await announceChange(tx, merchantId)
    await recordAct(tx, merchantId, by, {
      action: 'key.rolled',
      subject: id,
      before: { hint: old.hint, ends_at: old.ends_at },
      after: { ...facts, key: fresh.id, overlap_hours: overlapHours },
    })
    return fresh
  })
}

export async function revokeKey(
  db: Database,
  merchantId: number,
  id: string,
  by: Actor = bySystem,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const hint = await markRevoked(tx, merchantId, id)
    if (hint === undefined) throw new Refusal('not_found', 'Key not found')
    await announceChange(tx, merchantId)
    await recordAct(tx, merchantId, by, { action: 'key.revoked', subject: id, before: { hint } })
  })
}

async function addOnce<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return makeOnce('keys_pkey', () => inTransaction(db, work))
}

type Addition = Pick<KeyRequest, 'id' | 'kind' | 'name' | 'signing' | 'mayRefund' | 'dialect'> & {
  readonly mode?: Mode | undefined
  readonly bounds: FormBounds | undefined
}

/** `facts`: what may be audited of it. */
async function addKey(
  tx: Transaction,
  merchantId: number,
  added: Addition,
): Promise<FreshKey & { readonly facts: Facts }> {
  const { kind, id = `key_${randomBase62(16)}`, dialect = 'florin' } = added
  const mode = kind === 'api' ? undefined : (added.mode ?? 'test')
  const key = makeKey(kind, mode, merchantId)
  const hint = keyHint(key)
  const signing = kind === 'form' ? added.signing : undefined
  const formSecret = signing && drawFormSecret()
  await insertKey(tx, {
    merchantId,
    id,
    kind,
    mode,
    hash: Buffer.from(hashKey(key), 'hex'),
    hint,
    name: added.name,
    ...columnsOf(added.bounds),
    form_secret: signing && formSecret ? sealFormSecret(signing, merchantId, id, formSecret) : null,
    may_refund: added.mayRefund ?? true,
    dialect,
  })
  const facts: Facts = {
    kind,
    mode: mode ?? null,
    hint,
    name: added.name,
    ...(added.mayRefund === false && { may_refund: false }),
    ...(dialect !== 'florin' && { dialect }),
    ...(added.bounds && auditFacts(added.bounds, formSecret !== undefined)),
  }
  return { id, key, facts, ...(formSecret !== undefined && { formSecret }) }
}

function auditFacts(bounds: FormBounds, isSigned: boolean): Facts {
  return {
    hosts: bounds.hosts,
    callback_hosts: bounds.callbackHosts ?? null,
    tx_ref_prefix: bounds.txRefPrefix ?? null,
    currencies: bounds.currencies ?? null,
    min_minor: bounds.minMinor?.toString() ?? null,
    max_minor: bounds.maxMinor?.toString() ?? null,
    shows_title: bounds.showsTitle ?? null,
    signed: isSigned,
  }
}
