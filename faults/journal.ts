import { closeSync, existsSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs'

// What a witness saw, one JSON object a line, on disk before it counts: independent of Florin's tables.

export type Journal<Entry> = {
  /** Resolves when the entry is on disk. Entries that come together share one flush. */
  write(entry: Entry): Promise<void>
  close(): Promise<void>
}

export function openJournal<Entry>(path: string): Journal<Entry> {
  const file = openSync(path, 'a')
  let waiting: (() => void)[] = []
  let flushing: Promise<void> | undefined

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const told = waiting
      waiting = []
      await new Promise<void>((resolve, reject) =>
        fdatasync(file, (error) => (error ? reject(error) : resolve())),
      )
      for (const tell of told) tell()
    }
    flushing = undefined
  }

  return {
    async write(entry) {
      writeSync(file, `${JSON.stringify(entry)}\n`)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        flushing ??= flush()
      })
    },
    async close() {
      await flushing
      closeSync(file)
    },
  }
}

export function readJournal<Entry>(path: string): Entry[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  // A witness that was killed may have left half a line: it was never acknowledged.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Entry)
}

/** What the load client writes. Times are the machine's own, in milliseconds. */
export type LoadEntry =
  | { readonly op: 'create'; readonly at: number; readonly txRef: string; readonly url: string }
  | { readonly op: 'replay'; readonly at: number; readonly txRef: string; readonly url: string }
  | { readonly op: 'paid'; readonly at: number; readonly txRef: string }
  /** Acknowledged, not done. */
  | { readonly op: 'refund'; readonly at: number; readonly txRef: string; readonly refundRef: string }
  | { readonly op: 'cancelled'; readonly at: number; readonly txRef: string }
  | {
      readonly op: 'seen'
      readonly asked: number
      readonly at: number
      readonly txRef: string
      readonly status: string
    }
  /** The first answer to a create was that nothing was done, and nobody asked for it again. */
  | { readonly op: 'nothing'; readonly at: number; readonly txRef: string }
  /** An answer that no fault excuses. */
  | { readonly op: 'wrong'; readonly at: number; readonly what: string }

/** What the receiving merchant writes. */
export type ReceivedEntry = {
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
