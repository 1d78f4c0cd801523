import type { Database } from '../../../platform/database/database.ts'
import type { Listener } from '../../../platform/database/listen.ts'
import type { Deliverer } from './deliver.ts'
import type { Queue } from '../queues.ts'
import type { Outbox } from '../outbox.ts'
import { channel, notifyWorkers } from './wake-store.ts'

// New deliveries reach a worker in this process by a function call. Without one (`serve --no-worker`) another process
// is notified by NOTIFY, after the commit and for several at once: a NOTIFY inside each payment's transaction would
// make their commits wait for one another.

const gatherMs = 20
const payloadMax = 7_900

export function connectWorkers(db: Database, listener: Listener, outbox: Outbox, deliverer: Deliverer): void {
  const gathered = new Map<string, Queue>()
  let timer: NodeJS.Timeout | undefined

  outbox.carryBy(deliverer)
  outbox.onCommit((queue, isDue) => {
    if (!isDue) return
    if (deliverer.isRunning) return deliverer.ask(queue)
    gathered.set(JSON.stringify(queue), queue)
    timer ??= setTimeout(() => void send(), gatherMs).unref()
  })

  async function send(): Promise<void> {
    const queues = JSON.stringify([...gathered.values()])
    gathered.clear()
    timer = undefined
    // A failure isn't reported: workers search every second anyway.
    await notifyWorkers(db, queues.length <= payloadMax ? queues : '').catch(() => {})
  }

  listener.on(channel, (payload) => {
    if (!deliverer.isRunning) return
    if (payload === '') void deliverer.look().catch(() => {})
    else for (const queue of JSON.parse(payload) as Queue[]) deliverer.ask(queue)
  })
}
