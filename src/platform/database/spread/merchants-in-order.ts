/**
 * The merchants a search found, ordered by number. Each node of a cluster answers in that order, up to `max`; so the
 * first `max` of all answers are the first overall, and a search that continues after the last one misses none.
 */
export function merchantsInOrder(rows: readonly { readonly merchant_id: number }[], max: number): number[] {
  return rows
    .map((row) => row.merchant_id)
    .toSorted((one, other) => one - other)
    .slice(0, max)
}
