import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { innermost } from '../../errors/database-unavailable.ts'
import { mayAnswerSoon } from '../connection-lost.ts'

// After a power cut the database may start later than Florin, replay its log for minutes, and restart in between. In a
// cluster its name may not be known yet.

export type Waiting = {
  /** By performance.now(). */
  readonly untilMs: number
  /** A line for each try that failed. */
  readonly say: (line: string) => void
  /** Throws if we were told to stop. */
  readonly refuseIfStopped: () => void
}

const tryEveryMs = 1_000
const connectWithinMs = 5_000

/**
 * Does `work`, from its beginning again each time that the database goes away, until the time is over. So `work` must be
 * repeatable. Errors that waiting won't help with are thrown at once.
 */
export async function whenDatabaseAnswers<T>(
  name: string,
  { untilMs, say, refuseIfStopped }: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const leftMs = untilMs - performance.now()
      if (!mayAnswerSoon(error) || leftMs <= 0) throw error
      refuseIfStopped()
      say(`Waiting for ${name}, for ${Math.ceil(leftMs / 1_000)} s more: ${describeError(error)}`)
      await pause(Math.min(tryEveryMs, leftMs))
      refuseIfStopped()
    }
  }
}

/** Throws if PostgreSQL takes no connection now. */
export async function connectOnce(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectWithinMs })
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => {})
  }
}

function describeError(error: unknown): string {
  return innermost(error).message.replaceAll(/\s+/g, ' ')
}
