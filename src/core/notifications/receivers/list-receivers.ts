import type { Database } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { pauseAfterMs } from '../ipn/pause-receivers.ts'
import type { Queue } from '../queues.ts'
import {
  countOfReceiver,
  findReceiver,
  groupFailures,
  listLately,
  listTroubled,
  type Counts,
  type FailureReason,
  type ReceiverRow,
  type Scope,
} from './receivers-store.ts'

export type { FailureReason, Scope }

// Where notifications go, and with what result. A receiver is an origin: it isn't registered, but exists once a payment
// names it.

export type ReceiverState = 'works' | 'failing' | 'paused'

export type Receiver = Counts & {
  readonly origin: string
  readonly state: ReceiverState
  readonly failingSince: string | null
  readonly pausedAt: string | null
  /** Sooner than Florin pauses a receiver by itself. */
  readonly isPausedByHand: boolean
  /** The time of the newest notification; null if it is beyond those searched. */
  readonly lastAt: string | null
}

/** Counts stop here: one more is shown as "more than". */
export const countedMax = 1_000
const lookedAt = 1_000
const shownMax = 50
const reasonsOf = 300

/** Troubled receivers first; then the ones of the newest notifications. */
export async function listReceivers(db: Database, of: Scope): Promise<Receiver[]> {
  const troubled = await listTroubled(db, of, shownMax)
  const lately = await listLately(db, of, lookedAt)
  const lastOf = new Map(lately.map(({ origin, last_at: at }) => [origin, at]))
  const known = new Set(troubled.map(({ origin }) => origin))
  const others = lately.filter(({ origin }) => !known.has(origin)).map(({ origin }) => healthy(origin))
  const shown = [...troubled, ...others].slice(0, shownMax)
  return Promise.all(
    shown.map(async (row) => receiverOf(db, { ...of, origin: row.origin }, row, lastOf.get(row.origin))),
  )
}

export type ReceiverInFull = Receiver & { readonly reasons: readonly FailureReason[] }

/** Refuses an origin that nothing was ever sent to. */
export async function readReceiver(db: Database, queue: Queue): Promise<ReceiverInFull> {
  const row = await findReceiver(db, queue)
  const [last] = (await listLately(db, queue, lookedAt)).filter(({ origin }) => origin === queue.origin)
  const receiver = await receiverOf(db, queue, row ?? healthy(queue.origin), last?.last_at)
  const isKnown = row || last || receiver.waiting + receiver.paused + receiver.failed > 0
  if (!isKnown) throw new Refusal('not_found', 'Receiver not found')
  return { ...receiver, reasons: await groupFailures(db, queue, reasonsOf) }
}

function healthy(origin: string): ReceiverRow {
  return { origin, failing_since: null, last_failed_at: null, paused_at: null }
}

async function receiverOf(
  db: Database,
  queue: Queue,
  { origin, failing_since: failingSince, paused_at: pausedAt }: ReceiverRow,
  lastAt: string | undefined,
): Promise<Receiver> {
  const counts = await countOfReceiver(db, queue, countedMax + 1)
  const state = pausedAt !== null ? 'paused' : failingSince !== null ? 'failing' : 'works'
  const failedMs = Date.parse(pausedAt ?? '') - Date.parse(failingSince ?? pausedAt ?? '')
  const isPausedByHand = failedMs < pauseAfterMs
  return { ...counts, origin, state, failingSince, pausedAt, isPausedByHand, lastAt: lastAt ?? null }
}
