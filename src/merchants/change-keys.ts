import { inTransaction, type Database, type Transaction } from '../database/database.ts'
import { randomBase62 } from '../database/random-id.ts'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { bySystem, recordAct, type Actor, type Facts } from './audit/audit.ts'
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
export async function createKey(
  db: Database,
  merchantId: number,
  request: KeyRequest,
  by: Actor = bySystem,
): Promise<FreshKey> {
  if (request.name.length < 1 || request.name.length > nameLengthMax) {
    throw brokenRule('name', `name must be 1 to ${nameLengthMax} characters`)
  }
  const bounds = request.bounds && { ...request.bounds, hosts: request.bounds.hosts.map(checkHost) }
  return inTransaction(db, async (tx) => {
    if (!(await findMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    const { facts, ...fresh } = await addKey(tx, merchantId, { ...request, ...(bounds && { bounds }) })
    await recordAct(tx, merchantId, by, { action: 'key.created', subject: fresh.id, after: facts })
    return fresh
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
  by: Actor = bySystem,
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
    const { facts, ...fresh } = await addKey(tx, merchantId, {
      kind: old.kind,
      name: old.name,
      ...(old.mode && { mode: old.mode }),
      ...(bounds && { bounds }),
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

/** `facts`: what may be written down of it. */
async function addKey(
  tx: Transaction,
  merchantId: number,
  request: KeyRequest,
): Promise<FreshKey & { readonly facts: Facts }> {
  const { kind, bounds } = request
  const mode = kind === 'api' ? undefined : (request.mode ?? 'test')
  const key = makeKey(kind, mode, merchantId)
  const id = `key_${randomBase62(16)}`
  const hint = keyHint(key)
  await insertKey(tx, {
    merchantId,
    id,
    kind,
    mode,
    hash: Buffer.from(hashKey(key), 'hex'),
    hint,
    name: request.name,
    formHosts: bounds ? [...bounds.hosts] : null,
    formCurrencies: bounds?.currencies ? [...bounds.currencies] : null,
    formMinMinor: bounds?.minMinor ?? null,
    formMaxMinor: bounds?.maxMinor ?? null,
  })
  const facts: Facts = {
    kind,
    mode: mode ?? null,
    hint,
    name: request.name,
    ...(bounds && {
      hosts: bounds.hosts,
      currencies: bounds.currencies ?? null,
      min_minor: bounds.minMinor?.toString() ?? null,
      max_minor: bounds.maxMinor?.toString() ?? null,
    }),
  }
  return { id, key, facts }
}
