// How many attempts of one address, or of one card, may be under way at once in this process. Counters in the database know
// only of attempts that have ended, so three hundred cards that are sent at the same moment would all be tried before the
// first decline is counted. Here the first few go, and how they end decides how many follow: each success lets one more go
// beside the others, a decline halves the number. A crowd behind one address is slowed for some milliseconds, and a stranger
// has been counted in the database before his next cards come to their turn.

export type AttemptQueue = {
  /** Resolves when it is the caller's turn; undefined when there are too many before it. */
  enter(names: readonly string[]): Promise<Release | undefined>
}

export type Release = (end: 'paid' | 'declined' | 'open') => void

type Slot = { allowed: number; under: number; readonly waiting: (() => void)[]; emptyAtMs: number }

const waitingMax = 1_000
/**
 * After this wait an attempt starts without being called: a slow network must not hold up an office behind its first
 * customer, and by now the earlier declines are in the database.
 */
export const patienceMs = 5_000
const slotsMax = 10_000
/** How long an empty place remembers how many may go. */
const rememberMs = 60_000

export function makeAttemptQueue(first: number, now: () => number = Date.now): AttemptQueue {
  const slots = new Map<string, Slot>()

  function slotOf(name: string): Slot {
    const known = slots.get(name)
    if (known && (known.under > 0 || now() - known.emptyAtMs < rememberMs)) return known
    if (slots.size >= slotsMax) forgetEmpty() // No test: the exact number is no promise
    const fresh = { allowed: first, under: 0, waiting: [], emptyAtMs: now() }
    slots.set(name, fresh)
    return fresh
  }

  function forgetEmpty(): void {
    for (const [name, slot] of slots) if (slot.under === 0) slots.delete(name)
  }

  function releaseOne(slot: Slot, end: Parameters<Release>[0]): void {
    slot.under -= 1
    if (slot.under === 0) slot.emptyAtMs = now()
    if (end === 'paid') slot.allowed += 1
    if (end === 'declined') slot.allowed = Math.max(1, Math.floor(slot.allowed / 2))
    letIn(slot)
  }

  return {
    // All names in the caller's order: whoever has the last one has all, so there is no circular wait.
    async enter(names) {
      const entered: Slot[] = []
      for (const name of names) {
        const slot = slotOf(name)
        if (!(await enterOne(slot))) {
          for (const one of entered) releaseOne(one, 'open')
          return undefined
        }
        entered.push(slot)
      }
      return (end) => {
        for (const slot of entered) releaseOne(slot, end)
      }
    },
  }
}

async function enterOne(slot: Slot): Promise<boolean> {
  if (slot.under < slot.allowed) {
    slot.under += 1
    return true
  }
  if (slot.waiting.length >= waitingMax) return false
  await new Promise<void>((resolve) => {
    const call = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      slot.waiting.splice(slot.waiting.indexOf(call), 1)
      slot.under += 1
      resolve()
    }, patienceMs)
    slot.waiting.push(call)
  })
  return true
}

function letIn(slot: Slot): void {
  while (slot.under < slot.allowed) {
    const next = slot.waiting.shift()
    if (!next) return
    slot.under += 1
    next()
  }
}
