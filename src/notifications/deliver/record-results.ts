import { inTransaction, type Database } from '../../database/database.ts'
import type { Queue } from '../queues.ts'
import {
  insertAttempts,
  lockTroubledReceivers,
  moveDeliveries,
  noteFailing,
  noteRecovered,
  type MovedDelivery,
  type Receiver,
  type TroubledReceiver,
  type TryResult,
} from '../result-store.ts'

type FailedReceiver = Receiver & { readonly firstAt: string; readonly lastAt: string }

/** Writes how tries of one merchant ended, in one commit. Returns the queues in which something failed. */
export async function recordResults(
  db: Database,
  merchantId: number,
  results: readonly TryResult[],
): Promise<Queue[]> {
  const ids = results.map(({ id }) => id)
  const tried = results.filter(({ state }) => state !== 'skipped' && state !== 'kept')
  const failed = await inTransaction(db, async (tx) => {
    const troubled = await lockTroubledReceivers(tx, merchantId, ids)
    if (tried.length > 0) await insertAttempts(tx, merchantId, tried)
    const moved = await moveDeliveries(tx, merchantId, results, pausedIds(troubled))
    const failing = failedReceivers(moved)
    for (const one of failing) await noteFailing(tx, merchantId, one)
    for (const one of recoveredReceivers(troubled, moved)) await noteRecovered(tx, merchantId, one)
    return failing
  })
  return failed.map(({ mode, origin }) => ({ merchantId, mode, origin }))
}

function pausedIds(troubled: readonly TroubledReceiver[]): Set<string> {
  return new Set(troubled.filter((one) => one.is_paused).map(({ id }) => id))
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

/** Those that were failing, and from which nothing but good news came. */
function recoveredReceivers(
  troubled: readonly TroubledReceiver[],
  moved: readonly MovedDelivery[],
): Receiver[] {
  const ipns = moved.filter(({ kind }) => kind === 'ipn')
  const good = new Set(ipns.filter(({ state }) => state === 'delivered').map(receiverName))
  for (const one of ipns) if (one.counts_against) good.delete(receiverName(one))
  const recovered = new Map(
    troubled
      .filter((one) => !one.is_paused && good.has(receiverName(one)))
      .map((one) => [receiverName(one), one]),
  )
  return [...recovered.values()]
}

function receiverName({ mode, origin }: Receiver): string {
  return `${mode} ${origin}`
}
