import type { Core } from '../../platform/jobs/core.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { makeRecentMerchants } from '../../platform/jobs/lately.ts'
import { visitDue } from '../../platform/jobs/visit-due.ts'
import { abouts, findMerchantsWithDueEvents, nextEventTry, type About } from './due-look-store.ts'
import { claimEvents, putOffEvent, type EventRow, type Finished } from './event-store.ts'
import { nextTryAt } from './retry-schedule.ts'
import { makeFinishEvents, type FinishEvents } from './share-writes.ts'

// Workers look up here what callbacks announced. A claim is a lease, so any number of workers may run, and a dead one
// blocks nothing. Events of an unhandled kind wait until a worker handles them.

/** done: asked, whatever the answer was. unknown: about nothing of ours. no_answer: to be asked again. */
export type EventResult = 'done' | 'unknown' | 'no_answer'

export type HandleEvent = (event: EventRow) => Promise<EventResult>

export type EventHandlers = Partial<Readonly<Record<About, HandleEvent>>>

export type EventWork = Core & { readonly handlers: EventHandlers }

const everyMs = 1_000
/** Four times the longest call of a network. */
const leaseMs = 60_000
/** As many as share a statement: what a busy merchant's customers pay together is asked about and applied together. */
const claimMax = 100

export function callbacksJob(work: EventWork): Job {
  const lately = makeRecentMerchants()
  const finish = makeFinishEvents(work.db)
  return {
    name: 'callbacks',
    everyMs,
    nextDue: [nextEventTry],
    wakeOn: 'florin_callbacks',
    run: async () => workOnEvents(work, lately, finish),
  }
}

/** One round; returns how many events were looked at. */
export async function workOnEvents(
  work: EventWork,
  lately = makeRecentMerchants(),
  finish = makeFinishEvents(work.db),
): Promise<number> {
  const now = work.now()
  const handled = abouts.filter((about) => work.handlers[about])
  let count = 0
  await visitDue({
    log: work.log,
    lately,
    what: 'callbacks',
    max: claimMax,
    look: async () => findMerchantsWithDueEvents(work.db, { handled, now, max: claimMax }),
    async claim(merchantId, max) {
      const claimed = await claimEvents(work.db, merchantId, { abouts: handled, now, leaseMs, max })
      count += claimed.length
      // A network that sends five events of one order is asked once.
      return [...Map.groupBy(claimed, subjectOf).values()]
    },
    work: async (same) => askAndFinish(work, finish, same),
    keyOf: ([event]) => ({ merchantId: event?.merchant_id }),
    failed: 'Could not process a callback; will retry',
  })
  return count
}

function subjectOf(event: EventRow): string {
  const { account_id, about, number, idempotency_key, reference } = event
  return JSON.stringify([account_id, about, number, idempotency_key, reference])
}

async function askAndFinish(work: EventWork, finish: FinishEvents, same: readonly EventRow[]): Promise<void> {
  const [event] = same
  if (!event) return
  const { merchant_id: merchantId } = event
  const asked = await ask(work, event)
  const now = work.now()
  const endAs = (state: Finished['state']) => (ended: EventRow) => ({ ...ended, state, finished_at: now })
  if (asked !== 'no_answer') return finish(merchantId, same.map(endAs(asked)))
  for (const each of same) {
    const at = nextTryAt(each.tries, new Date(each.received_at), now)
    if (at) await putOffEvent(work.db, each, at)
    else await finish(merchantId, [endAs('given_up')(each)])
  }
}

async function ask({ handlers, log }: EventWork, event: EventRow): Promise<EventResult> {
  try {
    return (await handlers[event.about]?.(event)) ?? 'no_answer'
  } catch (error) {
    log.warn(
      { err: error, merchantId: event.merchant_id },
      'No answer from the network about a callback; will ask again later',
    )
    return 'no_answer'
  }
}
