import type { Job } from './job.ts'
import type { Listener } from '../database/listen.ts'
import type { Logger } from '../http/log.ts'

// Background work: each job searches for what is due, does it, and returns how much it did. Jobs claim rows with `for
// update skip locked`, so any number of workers may run.

export type Worker = { stop(): Promise<void> }

const pauseAfterErrorMs = 1_000

export function startWorker(jobs: readonly Job[], listener: Listener, log: Logger): Worker {
  const loops = jobs.map((job) => startLoop(job, listener, log))
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

function startLoop(job: Job, listener: Listener, log: Logger): Worker {
  const stopping = new AbortController()
  let wake: () => void = () => {}
  let wokenEarly = false

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

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      wokenEarly = false
      try {
        const done = await job.run()
        if (done === 0) await pause(job.everyMs)
      } catch (error) {
        log.warn({ err: error, job: job.name }, 'A job failed; will retry')
        wokenEarly = false
        await pause(pauseAfterErrorMs)
      }
    }
  }

  const running = loop()
  return {
    async stop() {
      stopping.abort()
      wake()
      await running
    },
  }
}
