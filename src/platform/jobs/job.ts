import type { Sql } from '../database/sql.ts'

// A piece of background work, as a room describes it; worker.ts runs it.
export type Job = {
  readonly name: string
  /** The pause between two rounds. */
  readonly everyMs: number
  /**
   * When the job has something to do next: queries of one time each, null for nothing. The worker asks them all in one
   * statement and runs the job when one of the times has come; a job without them runs every `everyMs`.
   */
  readonly nextDue?: readonly Sql[]
  /** A channel on which other processes say that there is work now. */
  readonly wakeOn?: string
  /** Does one round and returns how many things were done; more than none means look again at once. */
  readonly run: () => Promise<number>
}
