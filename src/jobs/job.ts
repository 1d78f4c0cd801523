// A piece of background work, as a room describes it; worker.ts runs it.
export type Job = {
  readonly name: string
  /** The longest pause between two looks. */
  readonly everyMs: number
  /** A channel on which other processes say that there is work now. */
  readonly wakeOn?: string
  /** Does one round and returns how many things were done; more than none means look again at once. */
  readonly run: () => Promise<number>
}
