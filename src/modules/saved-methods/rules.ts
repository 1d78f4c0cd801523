import { recordAct, type Actor, type Facts } from '../../core/audit/audit.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import type { MethodScope } from './keeping.ts'
import { findRules, lockRules, writeRules, type RulesRow, type StoredCeilings } from './rules-store.ts'

// A merchant's own brakes on charges of saved methods: a switch that stops them all, and ceilings per day and currency.

/** In minor units; undefined: none. */
export type DayCeilings = {
  /** For each method. */
  readonly methodMinor?: bigint | undefined
  /** For all methods together. */
  readonly allMinor?: bigint | undefined
}

export type ChargeRules = {
  /** No saved method is charged. */
  readonly isStopped: boolean
  /** By currency. */
  readonly ceilings: ReadonlyMap<string, DayCeilings>
}

export type RulesChange = {
  readonly isStopped?: boolean | undefined
  /** Replaces those of the currencies it names; a currency without ceilings has none from now on. */
  readonly ceilings?: ReadonlyMap<string, DayCeilings> | undefined
}

export async function readRules(db: Queryable, of: MethodScope): Promise<ChargeRules> {
  return rulesOf(await findRules(db, of))
}

export function rulesOf(row: RulesRow | undefined): ChargeRules {
  const ceilings = Object.entries(row?.ceilings ?? {}).map(
    ([currency, { method_minor, all_minor }]): [string, DayCeilings] => [
      currency,
      {
        ...(method_minor !== undefined && { methodMinor: BigInt(method_minor) }),
        ...(all_minor !== undefined && { allMinor: BigInt(all_minor) }),
      },
    ],
  )
  return { isStopped: (row?.stopped_at ?? null) !== null, ceilings: new Map(ceilings) }
}

/** With its audit entry, in one commit. Charges that were begun before go on. */
export async function changeRules(
  { db, now }: { readonly db: Database; readonly now: () => Date },
  of: MethodScope,
  change: RulesChange,
  by: Actor,
): Promise<ChargeRules> {
  return inTransaction(db, async (tx) => {
    const row = await lockRules(tx, of, 'update')
    const before = rulesOf(row)
    const isStopped = change.isStopped ?? before.isStopped
    const ceilings = new Map([...before.ceilings, ...(change.ceilings ?? [])])
    for (const [currency, { methodMinor, allMinor }] of ceilings)
      if (methodMinor === undefined && allMinor === undefined) ceilings.delete(currency)
    const stoppedAt = isStopped ? (row?.stopped_at ? new Date(row.stopped_at) : now()) : null
    const after = { isStopped, ceilings }
    await writeRules(tx, of, { stoppedAt, ceilings: stored(ceilings) })
    await recordAct(tx, of.merchantId, by, {
      action: 'saved_method.rules_changed',
      subject: of.mode,
      before: described(before),
      after: described(after),
    })
    return after
  })
}

function stored(ceilings: ReadonlyMap<string, DayCeilings>): StoredCeilings {
  return Object.fromEntries(
    [...ceilings].map(([currency, { methodMinor, allMinor }]) => [
      currency,
      {
        ...(methodMinor !== undefined && { method_minor: String(methodMinor) }),
        ...(allMinor !== undefined && { all_minor: String(allMinor) }),
      },
    ]),
  )
}

function described({ isStopped, ceilings }: ChargeRules): Facts {
  return { stopped: isStopped, ceilings: JSON.stringify(stored(ceilings)) }
}
