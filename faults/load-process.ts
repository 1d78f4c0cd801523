import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadOrder, LoadReport } from './load.ts'

export type Load = {
  acknowledged(): number
  /** Resolves with the time at which a create that was begun after `sinceMs` was acknowledged. */
  nextAcknowledged(sinceMs: number): Promise<number>
  stop(): Promise<void>
  /** For a stage that is given up. */
  kill(): void
}

const program = fileURLToPath(new URL('./load.ts', import.meta.url))

export function startLoad(order: LoadOrder): Load {
  const child = fork(program, [JSON.stringify(order)], { execPath: process.execPath, execArgv: [] })
  let acknowledged = 0
  let waiting: { sinceMs: number; resolve: (at: number) => void }[] = []
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', resolve)
  })
  child.on('message', (report: LoadReport) => {
    acknowledged += 1
    const due = waiting.filter(({ sinceMs }) => report.at >= sinceMs)
    waiting = waiting.filter((one) => !due.includes(one))
    for (const { resolve } of due) resolve(report.at)
  })
  return {
    acknowledged: () => acknowledged,
    nextAcknowledged: async (sinceMs) =>
      new Promise((resolve) => {
        waiting.push({ sinceMs, resolve })
      }),
    async stop() {
      if (child.connected) child.send('stop')
      const code = await ended
      if (code !== 0) throw new Error(`The load client ended with ${code}`)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
