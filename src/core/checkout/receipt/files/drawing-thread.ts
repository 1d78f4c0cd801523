import { Worker } from 'node:worker_threads'
import type { Picture } from '../../../merchants/pictures/pictures.ts'
import type { Paper } from '../draw-paper.ts'

// One thread that draws receipts in turn. A long receipt takes a tenth of a second or more of processor time, and if
// the server's own thread draws it, all requests wait: a dozen at once stopped every call for 20 s.

export type DrawingThread = {
  draw(paper: Paper, logo: Picture | undefined): Promise<Buffer>
  close(): Promise<void>
}

export type DrawingTask = { readonly paper: Paper; readonly logo: Picture | undefined }
export type DrawingResult = { readonly file: Uint8Array } | { readonly failure: string }

type Job = DrawingTask & {
  readonly resolve: (file: Buffer) => void
  readonly reject: (error: Error) => void
}

/** Started with the first receipt; after a crash the next receipt starts another. */
export function makeDrawingThread(program = new URL('./draw-on-thread.ts', import.meta.url)): DrawingThread {
  const queue: Job[] = []
  let current: Job | undefined
  let worker: Worker | undefined
  let isClosed = false

  function start(): Worker {
    const started = new Worker(program)
    started.on('message', (result: DrawingResult) => {
      if ('failure' in result) finish((job) => job.reject(new Error(result.failure)))
      else finish((job) => job.resolve(Buffer.from(result.file)))
    })
    const end = (why: Error): void => {
      if (worker !== started) return
      worker = undefined
      finish((job) => job.reject(why))
    }
    started.on('error', (error) => end(error as Error))
    started.on('exit', () => end(new Error('The thread that draws receipts ended')))
    return started
  }

  function finish(settle: (job: Job) => void): void {
    const job = current
    current = undefined
    // Idle, it must not keep a process alive that has nothing else to do.
    worker?.unref()
    if (job) settle(job)
    next()
  }

  function next(): void {
    if (current) return
    current = queue.shift()
    if (!current) return
    worker ??= start()
    worker.ref()
    worker.postMessage({ paper: current.paper, logo: current.logo } satisfies DrawingTask, [])
  }

  return {
    draw: async (paper, logo) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('Receipts are no longer drawn: the process is stopping'))
        queue.push({ paper, logo, resolve, reject })
        next()
      }),
    async close() {
      isClosed = true
      const left = queue.splice(0)
      const running = worker
      worker = undefined
      await running?.terminate()
      for (const job of [...(current ? [current] : []), ...left])
        job.reject(new Error('Receipts are no longer drawn: the process is stopping'))
      current = undefined
    },
  }
}
