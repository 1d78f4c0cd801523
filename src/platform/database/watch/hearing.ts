import { randomUUID } from 'node:crypto'
import type { Database } from '../database.ts'
import type { Listener } from '../listen.ts'
import { sql } from '../sql.ts'

// A connection that answers but delivers no notifications looks healthy, and revoked keys would stay valid as long as a
// cache holds them. So every few minutes a process sends itself a notification, over another connection, and expects to
// receive it.

export type NotificationCheck = {
  /** True while nothing has shown the contrary. */
  readonly isHeard: boolean
  check(): Promise<boolean>
  close(): void
}

type Options = {
  readonly everyMs?: number
  readonly withinMs?: number
  /** Told when it changes. */
  readonly onChange: (isHeard: boolean) => void
}

const channel = 'florin_hearing'

export function watchHearing(db: Database, listener: Listener, options: Options): NotificationCheck {
  const { everyMs = 120_000, withinMs = 5_000, onChange } = options
  const expected = new Map<string, () => void>()
  let isHeard = true
  listener.on(channel, (word) => expected.get(word)?.())

  async function check(): Promise<boolean> {
    // A disconnected listener already knows that it receives nothing.
    if (isHeard && !listener.isOpen) return isHeard
    const word = randomUUID()
    const heard = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs).unref()
      expected.set(word, () => {
        clearTimeout(timer)
        resolve(true)
      })
    })
    try {
      await db.query(sql`select pg_notify(${channel}, ${word})`)
      note(await heard)
    } catch {
      // An unavailable database is reported elsewhere.
    } finally {
      expected.delete(word)
    }
    return isHeard
  }

  function note(isHeardNow: boolean): void {
    if (isHeardNow === isHeard) return
    isHeard = isHeardNow
    listener.believe(isHeardNow)
    onChange(isHeardNow)
  }

  const timer = setInterval(() => void check(), everyMs).unref()
  return {
    get isHeard() {
      return isHeard
    },
    check,
    close: () => clearInterval(timer),
  }
}
