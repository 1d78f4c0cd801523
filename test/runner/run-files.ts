import { WorkerProcess, type Ended, type Limits, type WorkerOptions } from './worker-process.ts'

// Runs test files on a few worker processes, in the order given, and says how each ended.

export type RunOptions = Omit<WorkerOptions, 'limits'> & {
  readonly workers: number
  readonly hasOwnProcess?: (file: string) => boolean
  readonly onStart?: (file: string) => void
  readonly onEnd?: (ended: Ended) => void
  readonly stopping?: AbortSignal
  /** Asked before each file, which is left out if not. */
  readonly mayStart?: (file: string) => boolean
  readonly limits?: Partial<Limits>
}

const defaultLimits: Limits = { memoryBytes: 800e6, leftoverWaitMs: 30_000, silenceMs: 600_000 }

export async function runFiles(files: readonly string[], options: RunOptions): Promise<Ended[]> {
  const limits = { ...defaultLimits, ...options.limits }
  const waiting = [...files]
  const results: Ended[] = []
  const running = new Set<WorkerProcess>()
  options.stopping?.addEventListener('abort', () => {
    waiting.length = 0
    for (const worker of running) worker.kill()
  })

  const note = (ended: Ended): void => {
    results.push(ended)
    options.onEnd?.(ended)
  }
  const start = (): WorkerProcess => {
    const worker = new WorkerProcess({ ...options, limits })
    running.add(worker)
    return worker
  }
  const end = async (worker: WorkerProcess | undefined, file: string): Promise<undefined> => {
    if (worker === undefined) return
    const late = await worker.end()
    running.delete(worker)
    if (late.length > 0) note(failedLate(file, late))
  }
  const runNext = async (): Promise<void> => {
    let shared: WorkerProcess | undefined
    let last = ''
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (options.mayStart?.(file) === false) continue
      options.onStart?.(file)
      const isOwn = options.hasOwnProcess?.(file) === true
      const worker = isOwn ? start() : (shared ??= start())
      note(await worker.run(file))
      if (isOwn) await end(worker, file)
      else if (!worker.isUsable) shared = await end(worker, file)
      else last = file
    }
    await end(shared, last)
  }
  await Promise.all(Array.from({ length: options.workers }, runNext))
  return results
}

function failedLate(file: string, late: readonly string[]): Ended {
  const failures = late.map((error) => ({ title: '', error }))
  return { file, ms: 0, printed: '', passed: 0, skipped: 0, notes: [], failures }
}
