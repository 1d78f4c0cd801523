/**
 * The merchants that a look found, in the order of their numbers. Each node of a cluster answers in that order, up to
 * `max`; so the first `max` of all of them are the first there are, and a look that goes on after the last misses nobody.
 */
export function merchantsInOrder(rows: readonly { readonly merchant_id: number }[], max: number): number[] {
  return rows
    .map((row) => row.merchant_id)
    .toSorted((one, other) => one - other)
    .slice(0, max)
}
