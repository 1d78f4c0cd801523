import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'

// A command's standard input, output and error, and its exit code. They are the process's own, unless the command runs
// inside withStandard(). The context follows each call, so two commands can run at once in one process: most tests run
// commands that way, as a process of their own takes 0.2 to 0.9 s of processor time each.

export type Standard = {
  readonly stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown }
  readonly stdout: Writable & { isTTY?: boolean; hasColors?: () => boolean }
  readonly stderr: Writable & { isTTY?: boolean; columns?: number }
  exitCode?: number | string | null | undefined
}

const given = new AsyncLocalStorage<Standard>()

export function standard(): Standard {
  return given.getStore() ?? process
}

export async function withStandard(streams: Standard, run: () => Promise<void>): Promise<void> {
  return given.run(streams, run)
}
