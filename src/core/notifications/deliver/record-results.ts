import {
  inMerchantTransaction,
  type Database,
  type Transaction,
} from '../../../platform/database/database.ts'
import type { Queue } from '../queues.ts'
import {
  lockPaused,
  moveDeliveries,
  noteFailing,
  noteRecovered,
  type MovedDelivery,
  type Receiver,
  type TryResult,
} from '../result-store.ts'

type FailedReceiver = Receiver & { readonly firstAt: string; readonly lastAt: string }

/**
 * Writes how tries of one merchant ended, in one commit. Returns the queues in which something failed.
 *
 * Where nothing failed one statement is all, since nothing then has to wait for a receiver that may be paused. With the
 * lock and a transaction around it there would be four round trips for each payment that comes alone.
 */
export async function recordResults(
  db: Database,
  merchantId: number,
  results: readonly TryResult[],
): Promise<Queue[]> {
  const moved = results.some(isFailure)
    ? await inMerchantTransaction(db, async (tx) => recordFailures(tx, merchantId, results))
    : await moveDeliveries(db, merchantId, results, new Set())
  // After the commit, as receivers are locked before deliveries. If it is lost, the next success writes it.
  for (const one of recoveredReceivers(moved)) await noteRecovered(db, merchantId, one)
  return failedReceivers(moved).map(({ mode, origin }) => ({ merchantId, mode, origin }))
}

export function isFailure({ counts_against, state }: TryResult): boolean {
  return counts_against || state === 'waiting'
}

/** The same in a commit that others share: of tries that succeeded, so that no receiver has to be locked. */
export async function recordSuccesses(
  tx: Transaction,
  merchantId: number,
  results: readonly TryResult[],
): Promise<void> {
  const recovered = recoveredReceivers(await moveDeliveries(tx, merchantId, results, new Set()))
  tx.whenEnded((committed) => {
    if (!committed) return
    for (const one of recovered) void noteRecovered(tx.database, merchantId, one).catch(() => undefined)
  })
}

async function recordFailures(
  tx: Transaction,
  merchantId: number,
  results: readonly TryResult[],
): Promise<MovedDelivery[]> {
  const ids = results.map(({ id }) => id)
  const moved = await moveDeliveries(tx, merchantId, results, await lockPaused(tx, merchantId, ids))
  for (const one of failedReceivers(moved)) await noteFailing(tx, merchantId, one)
  return moved
}

/** In one order, so that two processes which write to the same receivers never wait for each other. */
function failedReceivers(moved: readonly MovedDelivery[]): FailedReceiver[] {
  const ofReceiver = Map.groupBy(
    moved.filter(({ kind, counts_against }) => kind === 'ipn' && counts_against),
    receiverName,
  )
  return [...ofReceiver]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (!first) return []
      const times = [first, ...others].map(({ at }) => at).toSorted()
      return [
        {
          mode: first.mode,
          origin: first.origin,
          firstAt: times[0] ?? first.at,
          lastAt: times.at(-1) ?? first.at,
        },
      ]
    })
}

/** Receivers that were failing, with only successes now. */
function recoveredReceivers(moved: readonly MovedDelivery[]): Receiver[] {
  const ofReceiver = Map.groupBy(
    moved.filter(({ kind, is_failing }) => kind === 'ipn' && is_failing),
    receiverName,
  )
  return [...ofReceiver.values()]
    .filter((all) => all.some(({ state }) => state === 'delivered') && !all.some((one) => one.counts_against))
    .flatMap(([first]) => first ?? [])
}

function receiverName({ mode, origin }: Receiver): string {
  return `${mode} ${origin}`
}
