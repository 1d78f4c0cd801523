import type { Logger } from '../http/log.ts'
import type { RecentMerchants } from './lately.ts'

// One round of a job: a look finds merchants with due work, then each is visited on its own, by statements that name it. A
// merchant that fails, because its node of a cluster is away, holds up no other.

export type Look = {
  readonly log: Logger
  /** What the round searches for, as the log calls it: "refunds". */
  readonly what: string
  /** How many merchants a round may visit, and how many rows it may claim. */
  readonly max: number
  /** Merchants with something due, the longest waiting first; at most `max`. */
  readonly look: () => Promise<readonly number[]>
  /** Merchants to visit while looks fail. */
  readonly lately?: RecentMerchants | undefined
  /** Errors after which visiting merchants from memory would be useless. */
  readonly isHopeless?: (error: unknown) => boolean
}

export type Visits = Look & {
  /** Returns how many things were done. */
  readonly visit: (merchantId: number) => Promise<number>
  /** The log line for a merchant whose visit failed. */
  readonly failed: string
}

export type DueVisits<Row> = Look & {
  /** Takes at most `max` rows of a merchant on a lease: two workers never hold the same row, and a dead one's lease expires. */
  readonly claim: (merchantId: number, max: number) => Promise<readonly Row[]>
  readonly work: (row: Row) => Promise<unknown>
  /** Names a row in the log. */
  readonly keyOf: (row: Row) => object
  /** The log line for a row that could not be worked on. */
  readonly failed: string
  /** A round ends after this time. What is not done by then goes on; its lease is longer than a network call may take. */
  readonly patienceMs?: number | undefined
}

/** Visits one merchant after the other. Returns how many things were done. */
export async function visitEach({ visit, failed, ...look }: Visits): Promise<number> {
  return visitAll(look, await findOrRemember(look), visit, failed)
}

/** Claims due rows of every merchant and works on all of them at once. Returns how many rows were claimed. */
export async function visitDue<Row>(due: DueVisits<Row>): Promise<number> {
  const merchants = await findOrRemember(due)
  // Shared out, so that a merchant with thousands of rows leaves room for one with a single row.
  const share = Math.ceil(due.max / Math.max(1, merchants.length))
  const working: Promise<void>[] = []
  const claim = async (merchantId: number): Promise<number> => {
    const claimed = await due.claim(merchantId, share)
    for (const row of claimed) working.push(workSafely(due, row))
    return claimed.length
  }
  const failed = `Could not claim a merchant's ${due.what}`
  const count = await visitAll(due, merchants, claim, failed)
  const all = Promise.all(working)
  await (due.patienceMs === undefined ? all : atMost(due.patienceMs, all))
  return count
}

/** While a look over all merchants fails, merchants that had work lately are visited. */
export async function findOrRemember(due: Look): Promise<readonly number[]> {
  const { log, what, max, lately, isHopeless } = due
  let found: readonly number[]
  try {
    found = await due.look()
  } catch (error) {
    found = isHopeless?.(error) ? [] : (lately?.list().slice(0, max) ?? [])
    if (found.length === 0) throw error
    log.warn({ err: error }, `Could not look for ${what}; checking merchants that had some recently`)
  }
  lately?.remember(...found)
  return found
}

async function visitAll(
  { log, what }: Look,
  merchants: readonly number[],
  visit: (merchantId: number) => Promise<number>,
  failed: string,
): Promise<number> {
  let count = 0
  for (const merchantId of merchants) {
    try {
      count += await visit(merchantId)
    } catch (error) {
      log.error({ err: error, merchantId, what }, failed)
    }
  }
  return count
}

async function workSafely<Row>({ log, work, keyOf, failed }: DueVisits<Row>, row: Row): Promise<void> {
  try {
    await work(row)
  } catch (error) {
    log.error({ err: error, ...keyOf(row) }, failed)
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, enough])
  clearTimeout(timer)
}
