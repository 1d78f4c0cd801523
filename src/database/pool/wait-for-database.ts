import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectionLost } from '../connection-lost.ts'

// After a power cut the database may start later than Florin, and in a cluster its name may not be known yet.

type Waiting = {
  readonly seconds: number
  /** One line every few seconds. */
  readonly say: (line: string) => void
  /** Throws if we were told to stop. */
  readonly refuseIfStopped: () => void
}

const tryEveryMs = 500
const logEveryMs = 5_000
const connectWithinMs = 5_000

/**
 * Ends when PostgreSQL answers, when the time is over, or when waiting won't help: the next connection attempt reports
 * the error.
 */
export async function waitForDatabase(url: string, name: string, waiting: Waiting): Promise<void> {
  const began = performance.now()
  const untilMs = began + waiting.seconds * 1_000
  let saidMs = -Infinity
  for (;;) {
    const error = await tryToConnect(url)
    const nowMs = performance.now()
    // pg distinguishes the second only by its message.
    const isMatterOfTime = connectionLost(error) === 'before sending' || error?.message === 'timeout expired'
    if (error === undefined || !isMatterOfTime || nowMs >= untilMs) return
    waiting.refuseIfStopped()
    if (nowMs - saidMs >= logEveryMs) {
      saidMs = nowMs
      const left = Math.ceil((untilMs - nowMs) / 1_000)
      waiting.say(`Waiting for ${name}, for ${left} s more: ${describeError(error)}`)
    }
    await pause(tryEveryMs)
  }
}

async function tryToConnect(connectionString: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectWithinMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return first(error as Error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** A name with several addresses fails with one error for each. */
function first(error: Error): Error {
  return error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
}

function describeError({ message }: Error): string {
  return message.replaceAll(/\s+/g, ' ')
}
