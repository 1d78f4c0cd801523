import type { Asked } from './store.ts'
import type { Mode } from '../merchants/mode.ts'

// Who may be asked for work next. Deliveries of one merchant to one origin form a queue (a lane), and each lane, each
// merchant and the whole process have a limit of tries under way, so a receiver that hangs fills its own lane and
// nobody else's. A lane whose tries were slow three times in a row gets few, and all slow lanes together get a
// quarter: however many receivers are dead, three quarters stay free for those that answer.

export type Lane = { readonly merchantId: number; readonly mode: Mode; readonly origin: string }

/** Mail goes through one server, whoever it is for. */
export const mailOrigin = 'mail'

export const limits = {
  tries: 1_000,
  triesPerMerchant: 150,
  triesPerLane: 50,
  triesPerSlowLane: 2,
  triesOfSlowLanes: 250,
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
  const room = makeRoom(limit)

  return {
    ask(lane) {
      const name = laneName(lane)
      if (!waiting.has(name)) waiting.set(name, { lane, backlog: false })
    },
    next() {
      const asked: Asked[] = []
      for (const [name, { lane, backlog }] of waiting) {
        const free = room.of(lane)
        // Taking one whenever one is done would be a statement for each; half a hand at a time keeps up as well.
        if (free <= 0 || (backlog && free < room.taken(lane))) continue
        waiting.delete(name)
        room.add(lane, free)
        asked.push({ ...lane, room: free })
      }
      return asked
    },
    took(asked, count) {
      room.add(asked, count - asked.room)
      // A full hand may have left some behind; the lane goes to the end of the row.
      if (count === asked.room) waiting.set(laneName(asked), { lane: plain(asked), backlog: true })
    },
    reserve(lane) {
      // The last hand of what is shared is for lanes that wait: new ones must not take it whenever it is free.
      if (waiting.has(laneName(lane)) || room.of(lane, limit.triesPerLane) <= 0) return false
      room.add(lane, 1)
      return true
    },
    release(lane) {
      room.add(lane, -1)
    },
    finished(lane, ms) {
      room.noteTime(lane, ms)
      room.add(lane, -1)
    },
    underWay: room.underWay,
  }
}

/** Counts the tries under way against the limits. */
function makeRoom(limit: typeof limits) {
  const perLane = new Map<string, number>()
  const perMerchant = new Map<string, number>()
  /** How many tries in a row were slow. */
  const slow = new Map<string, number>()
  const counts: Counts = { tries: 0, mails: 0, ofSlowLanes: 0 }

  const isSlow = (name: string): boolean => (slow.get(name) ?? 0) >= slowAfter

  return {
    /** `left`: how much of what lanes share has to be left. */
    of(lane: Lane, left = 0): number {
      const name = laneName(lane)
      const inLane = perLane.get(name) ?? 0
      const ofMerchant = perMerchant.get(merchantName(lane)) ?? 0
      if (lane.origin === mailOrigin) {
        return Math.min(limit.mails - counts.mails, limit.mailsPerMerchant - ofMerchant)
      }
      const shared = Math.min(limit.tries - counts.tries, limit.triesPerMerchant - ofMerchant) - left
      return isSlow(name)
        ? Math.min(
            shared,
            limit.triesOfSlowLanes - counts.ofSlowLanes - left,
            limit.triesPerSlowLane - inLane,
          )
        : Math.min(shared, limit.triesPerLane - inLane)
    },
    taken: (lane: Lane): number => perLane.get(laneName(lane)) ?? 0,
    add(lane: Lane, count: number): void {
      const name = laneName(lane)
      bump(perLane, name, count)
      bump(perMerchant, merchantName(lane), count)
      counts[lane.origin === mailOrigin ? 'mails' : 'tries'] += count
      if (lane.origin !== mailOrigin && isSlow(name)) counts.ofSlowLanes += count
    },
    noteTime(lane: Lane, ms: number): void {
      const name = laneName(lane)
      const before = isSlow(name)
      if (ms < slowMs) slow.delete(name)
      else if (slow.size < troubledMax || slow.has(name)) slow.set(name, (slow.get(name) ?? 0) + 1)
      if (lane.origin === mailOrigin || before === isSlow(name)) return
      counts.ofSlowLanes += (before ? -1 : 1) * (perLane.get(name) ?? 0)
    },
    underWay: (): number => counts.tries + counts.mails,
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
