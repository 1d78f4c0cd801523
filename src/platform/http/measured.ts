// Figures counted row by row, for gauges: at most every ten seconds however many callers there are, and less often if
// counting takes long.

const rememberMs = 10_000
/** A scrape that waits longer gets the last figures: a merchant whose node of a cluster is silent takes ten seconds. */
const waitMs = 2_000

/** `unknown`: before anything was measured, and after it failed. A scrape while the database is away shows the rest. */
export function makeMeasured<T>(measure: () => Promise<T>, unknown: T): () => Promise<T> {
  let last = unknown
  let measuring: Promise<T> | undefined
  let untilMs = 0

  async function measureNow(): Promise<T> {
    const began = Date.now()
    last = await measure().catch(() => unknown)
    untilMs = Date.now() + Math.max(rememberMs, (Date.now() - began) * 10)
    measuring = undefined
    return last
  }

  return async () => {
    if (measuring === undefined && Date.now() <= untilMs) return last
    measuring ??= measureNow()
    const late = new Promise<T>((resolve) => {
      setTimeout(() => resolve(last), waitMs).unref()
    })
    return Promise.race([measuring, late])
  }
}
