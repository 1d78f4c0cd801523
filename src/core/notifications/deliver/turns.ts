import { sqlState } from '../../../platform/database/database.ts'

// Statements of many merchants, each of one of them, a few at a time.
//
// A merchant whose last statement failed, perhaps because the node of a cluster that has its rows is away, shares one
// place with all others in trouble. Waiting for their time-outs in the places of those that work, 100 merchants of a
// node that went silent would hold up everybody for four minutes at each look: 100 × 10 s in 4 places.

export type Turns = {
  /** Whether the last work for this merchant failed. */
  isInTrouble(merchantId: number): boolean
  run<T>(merchantId: number, work: () => Promise<T>): Promise<T>
}

export function makeTurns(atOnce: number): Turns {
  const inTrouble = new Set<number>()
  const places = makePlaces(atOnce)
  const placeInTrouble = makePlaces(1)

  return {
    isInTrouble: (merchantId) => inTrouble.has(merchantId),
    async run(merchantId, work) {
      const inPlace = inTrouble.has(merchantId) ? placeInTrouble : places
      return inPlace(async () => {
        try {
          const result = await work()
          inTrouble.delete(merchantId)
          return result
        } catch (error) {
          if (!isLasting(error)) inTrouble.add(merchantId)
          throw error
        }
      })
    },
  }
}

/** First come, first served. */
function makePlaces(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** An error of the data stays; a deadlock or a database that was away does not. */
export function isLasting(error: unknown): boolean {
  return /^(22|23|42)/.test(sqlState(error) ?? '')
}
