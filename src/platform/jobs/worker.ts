import type { Core } from './core.ts'
import type { Job } from './job.ts'
import type { Listener } from '../database/listen.ts'
import type { Logger } from '../http/log.ts'
import { findNextDue } from './next-due-look-store.ts'

// Background work: each job searches for what is due, does it, and returns how much it did. Jobs claim rows with `for
// update skip locked`, so any number of workers may run.
//
// Most of the time nothing is due. So one statement a second asks for all jobs when their next work is due, and a job that
// has none rests.

export type Worker = { stop(): Promise<void> }

export type WorkerPace = {
  /** How often the worker asks what is due. */
  readonly lookEveryMs: number
  /** A resting job runs this often all the same: for rows that a wrong clock has put off for days. */
  readonly longestRestMs: number
}

const usualPace: WorkerPace = { lookEveryMs: 1_000, longestRestMs: 30_000 }
const pauseAfterErrorMs = 1_000

export function startWorker(
  jobs: readonly Job[],
  core: Core,
  listener: Listener,
  pace: WorkerPace = usualPace,
): Worker {
  const loops = jobs.map((job) => startLoop(job, listener, core.log, pace))
  const watch = startLoop(watchJob(loops, core, pace), listener, core.log, pace)
  return {
    async stop() {
      await Promise.all([watch, ...loops].map((each) => each.stop()))
    },
  }
}

type Loop = Worker & {
  readonly job: Job
  /** There is something to do. A job that has just looked, and left it, looks again after its pause. */
  hurry(): void
}

function startLoop(job: Job, listener: Listener, log: Logger, pace: WorkerPace): Loop {
  const stopping = new AbortController()
  let wake: () => void = () => {}
  let wokenEarly = false
  let restsSince: number | undefined

  if (job.wakeOn !== undefined) {
    listener.on(job.wakeOn, () => {
      wokenEarly = true
      wake()
    })
  }

  async function pause(ms: number): Promise<void> {
    if (stopping.signal.aborted || wokenEarly) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function rest(): Promise<void> {
    restsSince = performance.now()
    await pause(job.nextDue === undefined ? job.everyMs : Math.max(job.everyMs, pace.longestRestMs))
    restsSince = undefined
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      wokenEarly = false
      try {
        const done = await job.run()
        if (done === 0) await rest()
      } catch (error) {
        log.warn({ err: error, job: job.name }, 'A job failed; will retry')
        wokenEarly = false
        await pause(pauseAfterErrorMs)
      }
    }
  }

  const running = loop()
  return {
    job,
    hurry() {
      if (restsSince === undefined) return
      // A look before the pause is over must not wait for the one after it.
      if (performance.now() - restsSince > job.everyMs - pace.lookEveryMs) wake()
    },
    async stop() {
      stopping.abort()
      wake()
      await running
    },
  }
}

/** Hurries the loops whose time has come. */
function watchJob(loops: readonly Loop[], { db, now }: Core, { lookEveryMs }: WorkerPace): Job {
  const asked = loops.flatMap((loop) => (loop.job.nextDue ?? []).map((query) => ({ loop, query })))
  const queries = asked.map(({ query }) => query)
  return {
    name: 'what is due',
    everyMs: lookEveryMs,
    async run() {
      if (queries.length === 0) return 0
      // Without an answer every job looks for itself: it logs what is wrong, and may know merchants to visit.
      const due = await findNextDue(db, queries).catch(() => queries.map(now))
      for (const [index, { loop }] of asked.entries()) {
        const time = due[index]
        if (time !== undefined && time <= now()) loop.hurry()
      }
      return 0
    },
  }
}
