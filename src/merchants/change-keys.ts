import { inTransaction, type Database, type Transaction } from '../database/database.ts'
import { randomBase62 } from '../database/random-id.ts'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { cardNumberRule, containsCardNumber } from '../money/card-numbers.ts'
import { hostRule, readHost } from './form-host.ts'
import { hashKey, keyHint, makeKey, type KeyKind } from './key-format.ts'
import { announceChange, endKey, findKey, findMerchant, insertKey, markRevoked } from './store.ts'
import type { Mode } from './mode.ts'

// Create, roll and revoke. Each tells all servers in the same commit, so a revoked key is refused within a second.

export const overlapHoursMax = 72
const nameLengthMax = 100

export type FormBounds = {
  readonly hosts: readonly string[]
  readonly currencies?: readonly string[]
  readonly minMinor?: bigint
  readonly maxMinor?: bigint
}

export type KeyRequest = {
  readonly kind: KeyKind
  readonly mode?: Mode
  readonly name: string
  readonly bounds?: FormBounds
}

export type FreshKey = { readonly id: string; readonly key: string }

/** The key itself is known here and never again: its hash is what is stored. */
export async function createKey(db: Database, merchantId: number, request: KeyRequest): Promise<FreshKey> {
  if (request.name.length < 1 || request.name.length > nameLengthMax) {
    throw brokenRule('name', `name must be 1 to ${nameLengthMax} characters`)
  }
  if (containsCardNumber(request.name)) throw brokenRule('name', `name ${cardNumberRule}`)
  const bounds = request.bounds && { ...request.bounds, hosts: request.bounds.hosts.map(checkHost) }
  return inTransaction(db, async (tx) => {
    if (!(await findMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    return addKey(tx, merchantId, { ...request, ...(bounds && { bounds }) })
  })
}

function checkHost(text: string): string {
  const host = readHost(text)
  if (host === undefined) throw brokenRule('hosts', `hosts ${hostRule}, but one is "${text}"`)
  return host
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
    const bounds: FormBounds | undefined =
      old.form_hosts === null
        ? undefined
        : {
            hosts: old.form_hosts,
            ...(old.form_currencies && { currencies: old.form_currencies }),
            ...(old.form_min_minor !== null && { minMinor: old.form_min_minor }),
            ...(old.form_max_minor !== null && { maxMinor: old.form_max_minor }),
          }
    const fresh = await addKey(tx, merchantId, {
      kind: old.kind,
      name: old.name,
      ...(old.mode && { mode: old.mode }),
      ...(bounds && { bounds }),
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

async function addKey(tx: Transaction, merchantId: number, request: KeyRequest): Promise<FreshKey> {
  const { kind, bounds } = request
  const mode = kind === 'api' ? undefined : (request.mode ?? 'test')
  const key = makeKey(kind, mode, merchantId)
  const id = `key_${randomBase62(16)}`
  await insertKey(tx, {
    merchantId,
    id,
    kind,
    mode,
    hash: Buffer.from(hashKey(key), 'hex'),
    hint: keyHint(key),
    name: request.name,
    formHosts: bounds ? [...bounds.hosts] : null,
    formCurrencies: bounds?.currencies ? [...bounds.currencies] : null,
    formMinMinor: bounds?.minMinor ?? null,
    formMaxMinor: bounds?.maxMinor ?? null,
  })
  return { id, key }
}
