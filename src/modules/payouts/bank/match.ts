import type { BankEntry } from './bank-entry.ts'

// Which entry of the bank is which payout: by the reference on the statement, then by amount and date. A guess that could as
// well be another is not made.

export type ExpectedPayout = {
  readonly id: string
  /** The network's name, as it appears on statements: `stripe`. */
  readonly connector: string
  readonly amountMinor: bigint
  readonly currency: string
  /** The day it was to arrive; without one, the day it was made. */
  readonly day: string
  /** What the bank's line may show: the trace or reference, and the network's own id of the payout. */
  readonly references: readonly string[]
}

export type Match = {
  readonly entry: BankEntry
  readonly payoutId: string
  /** `return`: the bank sent the money of the payout back. */
  readonly by: 'reference' | 'amount' | 'return'
}

export type Leftover = {
  readonly entry: BankEntry
  /** `amount_differs`: it names a payout of another amount. `seen_before`: it names one that another entry is for. */
  readonly why: 'unknown' | 'ambiguous' | 'amount_differs' | 'seen_before'
  readonly payoutId?: string
}

export type Matching = {
  readonly matches: readonly Match[]
  /** Entries that name a network or a payout, and fit none. */
  readonly leftovers: readonly Leftover[]
}

/** A shorter one could be part of any account number. */
const referenceLengthMin = 6

/** How many days before and after the expected one a payout of the same amount is taken for the same. */
export const daysBefore = 3
export const daysAfter = 7

/** Letters and digits alone: banks add blanks, line ends and dashes as they please. */
export function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** Finds which payouts a text names. */
export function makeFinder(
  payouts: readonly ExpectedPayout[],
): (texts: readonly string[]) => ExpectedPayout[] {
  const byBeginning = new Map<string, { reference: string; payout: ExpectedPayout }[]>()
  for (const payout of payouts)
    for (const reference of payout.references.map(squeeze)) {
      if (reference.length < referenceLengthMin) continue
      const beginning = reference.slice(0, referenceLengthMin)
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), { reference, payout }])
    }
  return (texts) => {
    // References are split over lines at any place.
    const text = squeeze(texts.join(''))
    const found = new Set<ExpectedPayout>()
    for (let at = 0; at + referenceLengthMin <= text.length; at += 1)
      for (const { reference, payout } of byBeginning.get(text.slice(at, at + referenceLengthMin)) ?? [])
        if (text.startsWith(reference, at)) found.add(payout)
    return [...found]
  }
}

/** The networks that an entry names. */
export function networksIn({ texts }: BankEntry, connectors: readonly string[]): string[] {
  const text = squeeze(texts.join(' '))
  return connectors.filter((connector) => text.includes(squeeze(connector)))
}

/**
 * `payouts`: every payout sent. `seen`: the ids of those already matched. Each entry is given once, and none that was
 * matched before.
 */
export function matchEntries(
  entries: readonly BankEntry[],
  payouts: readonly ExpectedPayout[],
  seen: ReadonlySet<string>,
): Matching {
  const taken = new Set(seen)
  const matches: Match[] = []
  const leftovers: Leftover[] = []
  const unnamed: BankEntry[] = []
  const find = makeFinder(payouts)
  for (const entry of entries) {
    const result = byReference(entry, find(entry.texts), taken)
    if (result === undefined) unnamed.push(entry)
    else if ('by' in result) {
      matches.push(result)
      if (result.by === 'reference') taken.add(result.payoutId)
    } else leftovers.push(result)
  }
  const open = payouts.filter(({ id }) => !taken.has(id))
  const guessed = byAmount(unnamed, open)
  const connectors = [...new Set(payouts.map(({ connector }) => connector))]
  const matched = new Set(guessed.matches.map(({ entry }) => entry))
  for (const entry of unnamed) {
    if (matched.has(entry)) continue
    const isAmbiguous = guessed.ambiguous.has(entry)
    if (isAmbiguous || networksIn(entry, connectors).length > 0)
      leftovers.push({ entry, why: isAmbiguous ? 'ambiguous' : 'unknown' })
  }
  return { matches: [...matches, ...guessed.matches], leftovers }
}

function byReference(
  entry: BankEntry,
  named: readonly ExpectedPayout[],
  taken: ReadonlySet<string>,
): Match | Leftover | undefined {
  const sameCurrency = named.filter(({ currency }) => currency === entry.currency)
  const fitting = sameCurrency.filter(({ amountMinor }) => amountMinor === entry.amountMinor)
  const free = fitting.find(({ id }) => !taken.has(id))
  if (free) return { entry, payoutId: free.id, by: 'reference' }
  const returned = sameCurrency.find(({ amountMinor }) => amountMinor === -entry.amountMinor)
  if (returned) return { entry, payoutId: returned.id, by: 'return' }
  const [repeated] = fitting
  if (repeated) return { entry, why: 'seen_before', payoutId: repeated.id }
  const [other] = named
  return other && { entry, why: 'amount_differs', payoutId: other.id }
}

type Pair = { readonly entry: BankEntry; readonly payout: ExpectedPayout; readonly distance: number }

function byAmount(
  entries: readonly BankEntry[],
  payouts: readonly ExpectedPayout[],
): { matches: Match[]; ambiguous: Set<BankEntry> } {
  const pairs = pairsOf(entries, payouts)
  const matches: Match[] = []
  const ambiguous = new Set<BankEntry>()
  const done = new Set<BankEntry | ExpectedPayout>()
  for (const distance of [...new Set(pairs.map((pair) => pair.distance))].toSorted((a, b) => a - b)) {
    const near = pairs.filter(
      (pair) => pair.distance === distance && !done.has(pair.entry) && !done.has(pair.payout),
    )
    for (const group of groupsOf(near)) {
      const those = [...new Set(group.map(({ entry }) => entry))]
      const theirs = [...new Set(group.map(({ payout }) => payout))]
      // As many of one as of the other: whichever is which, all of them are there.
      const isClear = those.length === theirs.length && group.length === those.length * theirs.length
      for (const [at, entry] of those.entries()) {
        const payout = theirs[at]
        done.add(entry)
        if (isClear && payout) {
          done.add(payout)
          matches.push({ entry, payoutId: payout.id, by: 'amount' })
        } else ambiguous.add(entry)
      }
    }
  }
  return { matches, ambiguous }
}

/** Entries and payouts of one amount, near in time. An entry that names a network is for no other network's payout. */
function pairsOf(entries: readonly BankEntry[], payouts: readonly ExpectedPayout[]): Pair[] {
  const connectors = [...new Set(payouts.map(({ connector }) => connector))]
  const byMoney = new Map<string, ExpectedPayout[]>()
  for (const payout of payouts) {
    const money = `${payout.amountMinor} ${payout.currency}`
    byMoney.set(money, [...(byMoney.get(money) ?? []), payout])
  }
  return entries.flatMap((entry) => {
    const named = networksIn(entry, connectors)
    return (byMoney.get(`${entry.amountMinor} ${entry.currency}`) ?? []).flatMap((payout) => {
      const days = daysBetween(payout.day, entry.bookedOn)
      const isNear = days >= -daysBefore && days <= daysAfter
      const isOthers = named.length > 0 && !named.includes(payout.connector)
      // An entry that names the network comes before one of the same day that names none.
      return isNear && !isOthers
        ? [{ entry, payout, distance: 2 * Math.abs(days) + (named.length > 0 ? 0 : 1) }]
        : []
    })
  })
}

/** Pairs that share an entry or a payout, directly or through others. */
function groupsOf(pairs: readonly Pair[]): Pair[][] {
  const leaders = new Map<BankEntry | ExpectedPayout, BankEntry | ExpectedPayout>()
  const leaderOf = (one: BankEntry | ExpectedPayout): BankEntry | ExpectedPayout => {
    let leader = one
    for (let next = leaders.get(leader); next !== undefined; next = leaders.get(leader)) leader = next
    if (leader !== one) leaders.set(one, leader)
    return leader
  }
  for (const { entry, payout } of pairs) {
    const [one, other] = [leaderOf(entry), leaderOf(payout)]
    if (one !== other) leaders.set(one, other)
  }
  return [...Map.groupBy(pairs, ({ entry }) => leaderOf(entry)).values()]
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
