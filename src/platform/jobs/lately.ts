// Merchants that had work lately. A look for due work asks all nodes of a cluster, and fails while one of them is away. Then
// these are visited: the merchants of the other nodes must not wait for a node that is not theirs.

export type RecentMerchants = {
  /** They had, or will have, something to do. */
  remember(...merchants: readonly number[]): void
  /** The least recently remembered come first. */
  list(): number[]
}

const rememberedMax = 1_000

export function makeRecentMerchants(max = rememberedMax): RecentMerchants {
  const remembered = new Set<number>()
  return {
    remember(...merchants) {
      // To the end: who was visited last is forgotten last, and visited last by a look from memory.
      for (const merchantId of merchants) {
        remembered.delete(merchantId)
        remembered.add(merchantId)
      }
      for (const merchantId of remembered) {
        if (remembered.size <= max) break
        remembered.delete(merchantId)
      }
    },
    list: () => [...remembered],
  }
}
