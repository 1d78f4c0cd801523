import { setTimeout as pause } from 'node:timers/promises'
import { Stopped } from './stopped.ts'

export type Stopping = {
  readonly told: Promise<void>
  refuseIfTold(): void
  /**
   * For a failure that may be our own end: a signal to the whole process group also ends what we started, and on a busy
   * machine we may notice that before our own signal arrives.
   */
  refuseIfToldSoon(withinMs?: number): Promise<void>
}

const soonMs = 1_000

/**
 * Listens from the moment it is called, before the line that says ready: a signal sent right after that line must not
 * get lost. Ctrl-C reaches both the launcher and this process, so a second signal is not a second wish.
 */
export function listenForStop(): Stopping {
  let first: NodeJS.Signals | undefined
  const { promise: told, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      first ??= signal
      resolve()
    })
  }
  const refuseIfTold = (): void => {
    if (first !== undefined) throw new Stopped(first)
  }
  return {
    told,
    refuseIfTold,
    async refuseIfToldSoon(withinMs = soonMs) {
      const limit = new AbortController()
      await Promise.race([told, pause(withinMs, undefined, limit).catch(() => {})])
      limit.abort()
      refuseIfTold()
    },
  }
}
