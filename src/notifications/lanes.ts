import type { Asked, Mode } from './store.ts'

// Who may be asked for work next. Deliveries of one merchant to one origin form a queue (a lane), and each lane, each
// merchant and the whole process have a limit of tries under way, so a receiver that hangs fills its own lane and
// nobody else's. A lane whose tries were slow three times in a row gets few, and all slow lanes together get a
// quarter: however many receivers are dead, three quarters stay free for those that answer.

export type Lane = { readonly merchantId: number; readonly mode: Mode; readonly origin: string }

/** Mail goes through one server, whoever it is for. */
export const mailOrigin = 'mail'

export const limits = {
  tries: 400,
  triesPerMerchant: 60,
  triesPerLane: 20,
  triesPerSlowLane: 2,
  triesOfSlowLanes: 100,
  mails: 10,
  mailsPerMerchant: 5,
}

const slowMs = 5_000
const slowAfter = 3
const troubledMax = 10_000

type Counts = { tries: number; mails: number; ofSlowLanes: number }

export type Lanes = {
  /** There may be something due in this lane. */
  ask(lane: Lane): void
  /** The lanes to ask now, each with its room; the room counts as taken until `took` says what came of it. */
  next(): Asked[]
  took(asked: Asked, count: number): void
  /** Takes room for one that is not due yet, unless others of its lane wait for theirs. */
  reserve(lane: Lane): boolean
  release(lane: Lane): void
  finished(lane: Lane, ms: number): void
  underWay(): number
}

export function makeLanes(limit: typeof limits = limits): Lanes {
  /** `backlog`: it had more than it was asked for. */
  const waiting = new Map<string, { lane: Lane; backlog: boolean }>()
  const perLane = new Map<string, number>()
  const perMerchant = new Map<string, number>()
  /** How many tries in a row were slow. */
  const slow = new Map<string, number>()
  const counts: Counts = { tries: 0, mails: 0, ofSlowLanes: 0 }

  /** `left`: what has to be left of the room that lanes share. */
  function roomOf(lane: Lane, name: string, left = 0): number {
    const inLane = perLane.get(name) ?? 0
    const ofMerchant = perMerchant.get(merchantName(lane)) ?? 0
    if (lane.origin === mailOrigin) {
      return Math.min(limit.mails - counts.mails, limit.mailsPerMerchant - ofMerchant)
    }
    const room = Math.min(limit.tries - counts.tries, limit.triesPerMerchant - ofMerchant) - left
    return isSlow(name)
      ? Math.min(room, limit.triesOfSlowLanes - counts.ofSlowLanes - left, limit.triesPerSlowLane - inLane)
      : Math.min(room, limit.triesPerLane - inLane)
  }

  const isSlow = (name: string): boolean => (slow.get(name) ?? 0) >= slowAfter

  function add(lane: Lane, name: string, count: number): void {
    bump(perLane, name, count)
    bump(perMerchant, merchantName(lane), count)
    counts[lane.origin === mailOrigin ? 'mails' : 'tries'] += count
    if (lane.origin !== mailOrigin && isSlow(name)) counts.ofSlowLanes += count
  }

  function setSlow(lane: Lane, name: string, isSlowNow: boolean): void {
    const before = isSlow(name)
    if (!isSlowNow) slow.delete(name)
    else if (slow.size < troubledMax || slow.has(name)) slow.set(name, (slow.get(name) ?? 0) + 1)
    if (lane.origin === mailOrigin || before === isSlow(name)) return
    counts.ofSlowLanes += (before ? -1 : 1) * (perLane.get(name) ?? 0)
  }

  return {
    ask(lane) {
      const name = laneName(lane)
      if (!waiting.has(name)) waiting.set(name, { lane, backlog: false })
    },
    next() {
      const asked: Asked[] = []
      for (const [name, { lane, backlog }] of waiting) {
        const room = roomOf(lane, name)
        // Taking one whenever one is done would be a statement for each; half a hand at a time keeps up as well.
        if (room <= 0 || (backlog && room < (perLane.get(name) ?? 0))) continue
        waiting.delete(name)
        add(lane, name, room)
        asked.push({ ...lane, room })
      }
      return asked
    },
    took(asked, count) {
      const name = laneName(asked)
      add(asked, name, count - asked.room)
      // A full hand may have left some behind; the lane goes to the end of the row.
      if (count === asked.room) waiting.set(name, { lane: plain(asked), backlog: true })
    },
    reserve(lane) {
      const name = laneName(lane)
      // The last hand of what is shared is for lanes that wait: new ones must not take it whenever it is free.
      if (waiting.has(name) || roomOf(lane, name, limit.triesPerLane) <= 0) return false
      add(lane, name, 1)
      return true
    },
    release(lane) {
      add(lane, laneName(lane), -1)
    },
    finished(lane, ms) {
      const name = laneName(lane)
      setSlow(lane, name, ms >= slowMs)
      add(lane, name, -1)
    },
    underWay: () => counts.tries + counts.mails,
  }
}

function plain({ merchantId, mode, origin }: Lane): Lane {
  return { merchantId, mode, origin }
}

function laneName(lane: Lane): string {
  return `${lane.merchantId} ${lane.mode} ${lane.origin}`
}

function merchantName(lane: Lane): string {
  return lane.origin === mailOrigin ? `${lane.merchantId} mail` : String(lane.merchantId)
}

function bump(counts: Map<string, number>, name: string, by: number): void {
  const next = (counts.get(name) ?? 0) + by
  if (next === 0) counts.delete(name)
  else counts.set(name, next)
}
