import type { Database } from '../database/database.ts'
import type { Job } from '../jobs/job.ts'
import type { Logger } from '../http/log.ts'
import { makeLately } from '../merchants/lately.ts'
import { abouts, findMerchantsWithDueEvents, type About } from './due-look-store.ts'
import { claimEvents, putOffEvent, type EventRow, type Finished } from './event-store.ts'
import { nextTryAt } from './retry-schedule.ts'
import { makeFinishEvents, type FinishEvents } from './share-writes.ts'

// What a callback made known is asked about here, by a worker. A claim is a lease, so any number of workers may run, and
// one that dies holds nothing up. Events of a kind that nobody handles yet wait, for as long as it takes.

/** done: asked, whatever the answer was. unknown: about nothing of ours. no_answer: to be asked again. */
export type Asked = 'done' | 'unknown' | 'no_answer'

export type HandleEvent = (event: EventRow) => Promise<Asked>

export type EventHandlers = Partial<Readonly<Record<About, HandleEvent>>>

export type EventWork = {
  readonly db: Database
  readonly handlers: EventHandlers
  readonly now: () => Date
  readonly log: Logger
}

const everyMs = 1_000
/** Four times the longest call of a network. */
const leaseMs = 60_000
const claimMax = 20

export function callbacksJob(work: EventWork): Job {
  const lately = makeLately()
  const finish = makeFinishEvents(work.db)
  return {
    name: 'callbacks',
    everyMs,
    wakeOn: 'florin_callbacks',
    run: async () => workOnEvents(work, lately, finish),
  }
}

/** One round; returns how many events were looked at. */
export async function workOnEvents(
  work: EventWork,
  lately = makeLately(),
  finish = makeFinishEvents(work.db),
): Promise<number> {
  const now = work.now()
  const handled = abouts.filter((about) => work.handlers[about])
  const merchants = await findOrRemember(work, lately, handled, now)
  // Shared out, so that a merchant with thousands leaves room for one with a single event.
  const max = Math.ceil(claimMax / Math.max(1, merchants.length))
  const asking: Promise<void>[] = []
  let count = 0
  for (const merchantId of merchants) {
    try {
      const claimed = await claimEvents(work.db, merchantId, { abouts: handled, now, leaseMs, max })
      count += claimed.length
      // A network that sends five events of one order is asked once.
      for (const [, same] of Map.groupBy(claimed, subjectOf))
        asking.push(askSafely(work, finish, merchantId, same))
    } catch (error) {
      work.log.error({ err: error, merchantId }, 'Callbacks of a merchant could not be claimed')
    }
  }
  await Promise.all(asking)
  return count
}

/** While a look over all merchants fails, those that had some lately are visited. */
async function findOrRemember(
  work: EventWork,
  lately: ReturnType<typeof makeLately>,
  handled: readonly About[],
  now: Date,
): Promise<readonly number[]> {
  let found: readonly number[]
  try {
    found = await findMerchantsWithDueEvents(work.db, { handled, now, max: claimMax })
  } catch (error) {
    found = lately.list().slice(0, claimMax)
    if (found.length === 0) throw error
    work.log.warn({ err: error }, 'A look for callbacks failed; merchants that had some lately are visited')
  }
  lately.remember(...found)
  return found
}

function subjectOf(event: EventRow): string {
  const { account_id, about, number, idempotency_key, reference } = event
  return JSON.stringify([account_id, about, number, idempotency_key, reference])
}

async function askSafely(
  work: EventWork,
  finish: FinishEvents,
  merchantId: number,
  same: readonly EventRow[],
): Promise<void> {
  const [event] = same
  if (!event) return
  try {
    const asked = await ask(work, event)
    const now = work.now()
    const endAs = (state: Finished['state']) => (ended: EventRow) => ({ ...ended, state, finished_at: now })
    if (asked !== 'no_answer') return await finish(merchantId, same.map(endAs(asked)))
    for (const each of same) {
      const at = nextTryAt(each.tries, new Date(each.received_at), now)
      if (at) await putOffEvent(work.db, each, at)
      else await finish(merchantId, [endAs('given_up')(each)])
    }
  } catch (error) {
    work.log.error({ err: error, merchantId }, 'A callback could not be worked on; it will be tried again')
  }
}

async function ask({ handlers, log }: EventWork, event: EventRow): Promise<Asked> {
  try {
    return (await handlers[event.about]?.(event)) ?? 'no_answer'
  } catch (error) {
    log.warn(
      { err: error, merchantId: event.merchant_id },
      'A callback led to no answer; it is asked again later',
    )
    return 'no_answer'
  }
}
