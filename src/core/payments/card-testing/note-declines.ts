import type { DeclineReason } from '../../networks/connector.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import type { Logger } from '../../../platform/http/log.ts'
import type { Mode } from '../../merchants/mode.ts'
import type { Outbox } from '../../notifications/outbox.ts'
import { warnMerchant } from '../../notifications/warn-merchant.ts'
import type { CardTesting } from './card-testing.ts'
import {
  countDeclines,
  countSuccesses,
  setAttack,
  type AttackRow,
  type NewDeclines,
  type Trace,
} from './decline-store.ts'
import { attackMs, levelsAbove, sameAttackMs, successesBelow, windowMs } from './limits.ts'

// Counts declines in the commit that writes them, and raises the alarm in the same one: a merchant is told of an attack
// exactly once.

export type Declined = {
  readonly mode: Mode
  readonly trace: Trace
  readonly reason: DeclineReason | undefined
}

export type NoteDeps = { readonly outbox: Outbox; readonly log: Logger; readonly now: () => Date }

export async function noteDeclines(
  deps: NoteDeps,
  testing: CardTesting,
  tx: Transaction,
  merchantId: number,
  declined: readonly Declined[],
): Promise<void> {
  if (declined.length === 0) return // No test: saves a statement that would do nothing
  const at = deps.now()
  const attacks = await countDeclines(tx, merchantId, {
    levels: levelsOf(declined),
    ofMerchant: ofMerchant(declined),
    at,
    windowFrom: new Date(at.getTime() - windowMs),
    levelMax: testing.limits.freeDeclines + levelsAbove,
  })
  for (const row of attacks) await judgeAttack(deps, testing, tx, merchantId, row, at)
}

function levelsOf(declined: readonly Declined[]): NewDeclines[] {
  const names = declined.flatMap(({ mode, trace }) => [
    { mode, kind: 'address' as const, name: trace.addressHash },
    { mode, kind: 'card' as const, name: trace.cardFingerprint },
  ])
  const groups = Map.groupBy(names, ({ mode, kind, name }) => `${mode} ${kind} ${name}`)
  return [...groups.values()].flatMap((group) => {
    const [one] = group
    if (!one) return []
    return [{ ...one, times: group.length }]
  })
}

/** A bank or network that is broken declines everybody: that is no attack. */
function ofMerchant(declined: readonly Declined[]): { mode: Mode; times: number }[] {
  const counted = declined.filter(({ reason }) => reason !== 'processing_error')
  return [...Map.groupBy(counted, ({ mode }) => mode)].map(([mode, { length: times }]) => ({ mode, times }))
}

async function judgeAttack(
  deps: NoteDeps,
  { limits, metrics }: CardTesting,
  tx: Transaction,
  merchantId: number,
  row: AttackRow,
  at: Date,
): Promise<void> {
  const { mode, declines } = row
  if (declines < limits.attackDeclines) return
  const before = row.until === null ? undefined : Date.parse(row.until)
  // An attack that has more than half of its time left need not be prolonged by each decline.
  if (before !== undefined && before > at.getTime() + attackMs / 2) return
  const max = successesBelow(limits, declines)
  const successes = await countSuccesses(tx, {
    merchantId,
    mode,
    since: new Date(at.getTime() - windowMs),
    max,
  })
  if (successes >= max) return
  const isNew = before === undefined || at.getTime() - before > sameAttackMs
  const since = isNew || row.since === null ? at : new Date(row.since)
  await setAttack(tx, merchantId, { mode, since, until: new Date(at.getTime() + attackMs) })
  if (!isNew) return
  await warnMerchant(deps.outbox, tx, { merchantId, mode }, 'card_testing.noticed', {
    template: 'card_testing',
    declines,
  })
  tx.whenEnded((committed) => {
    if (!committed) return
    metrics.attacked()
    deps.log.warn({ merchantId, mode, declines }, 'A merchant is under attack: cards are being tested')
  })
}
