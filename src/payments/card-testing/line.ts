// How many attempts of one address, or of one card, may be under way at once in this process. Counters in the database know
// only of attempts that have ended, so three hundred cards that are sent at the same moment would all be tried before the
// first decline is counted. Here the first few go, and how they end decides how many follow: each success lets one more go
// beside the others, a decline halves the number. A crowd behind one address is slowed for some milliseconds, and a stranger
// has been counted in the database before his next cards come to their turn.

export type Line = {
  /** Resolves when it is the caller's turn; undefined when there are too many before it. */
  enter(names: readonly string[]): Promise<Leave | undefined>
}

export type Leave = (end: 'paid' | 'declined' | 'open') => void

type Place = { allowed: number; under: number; readonly waiting: (() => void)[]; emptyAtMs: number }

const waitingMax = 1_000
/**
 * Whoever waited for so long goes without being called: a network that is slow must not hold up an office behind its first
 * customer, and by now the declines of those before stand in the database.
 */
export const patienceMs = 5_000
const placesMax = 10_000
/** How long an empty place remembers how many may go. */
const rememberMs = 60_000

export function makeLine(first: number, now: () => number = Date.now): Line {
  const places = new Map<string, Place>()

  function placeOf(name: string): Place {
    const known = places.get(name)
    if (known && (known.under > 0 || now() - known.emptyAtMs < rememberMs)) return known
    if (places.size >= placesMax) forgetEmpty() // No test: the exact number is no promise
    const fresh = { allowed: first, under: 0, waiting: [], emptyAtMs: now() }
    places.set(name, fresh)
    return fresh
  }

  function forgetEmpty(): void {
    for (const [name, place] of places) if (place.under === 0) places.delete(name)
  }

  function leaveOne(place: Place, end: Parameters<Leave>[0]): void {
    place.under -= 1
    if (place.under === 0) place.emptyAtMs = now()
    if (end === 'paid') place.allowed += 1
    if (end === 'declined') place.allowed = Math.max(1, Math.floor(place.allowed / 2))
    letIn(place)
  }

  return {
    // All names in one order, that of the caller: who has the last has all, so nobody waits in a circle.
    async enter(names) {
      const entered: Place[] = []
      for (const name of names) {
        const place = placeOf(name)
        if (!(await enterOne(place))) {
          for (const one of entered) leaveOne(one, 'open')
          return undefined
        }
        entered.push(place)
      }
      return (end) => {
        for (const place of entered) leaveOne(place, end)
      }
    },
  }
}

async function enterOne(place: Place): Promise<boolean> {
  if (place.under < place.allowed) {
    place.under += 1
    return true
  }
  if (place.waiting.length >= waitingMax) return false
  await new Promise<void>((resolve) => {
    const call = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      place.waiting.splice(place.waiting.indexOf(call), 1)
      place.under += 1
      resolve()
    }, patienceMs)
    place.waiting.push(call)
  })
  return true
}

function letIn(place: Place): void {
  while (place.under < place.allowed) {
    const next = place.waiting.shift()
    if (!next) return
    place.under += 1
    next()
  }
}
