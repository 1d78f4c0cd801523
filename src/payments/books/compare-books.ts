import type { Money, Movement } from '../../connectors/hosted.ts'

// Our records beside what a network booked. Pure: whoever reads both decides where they come from.

/** An attempt, charged or not. */
export type OurCharge = {
  readonly merchantId: number
  readonly txRef: string
  readonly idempotencyKey: string
  /** What the network calls it, by all its names. */
  readonly references: readonly string[]
  /** What the network said that it took; undefined while it took nothing. */
  readonly charged: Money | undefined
  /** What nobody owed goes back by itself: asked for, or done. */
  readonly sentBack?: { readonly isDone: boolean; readonly names: readonly string[] } | undefined
  /** When it last moved. */
  readonly at: Date
}

export type Difference = {
  readonly kind: 'paid_there_only' | 'paid_here_only' | 'amounts_differ'
  readonly at: Date
  readonly there?: Money
  readonly here?: Money
  /** The network's name of the charge. */
  readonly reference: string
  readonly merchantId?: number
  readonly txRef?: string
}

export type Compared = {
  readonly differences: readonly Difference[]
  /** Charges that both have, alike. */
  readonly alike: number
  /** Charges of other programs, which share the account. */
  readonly foreign: number
}

export type Comparing = {
  readonly since: Date
  readonly now: Date
  /** How long the network may take until it books a charge: until then nothing is missing there. */
  readonly booksWithinMs: number
  /** The network repeats our key with each charge, so one without it is not of Florin. */
  readonly marksCharges: boolean
}

/** What was paid there a moment ago may be on its way to us. */
const underWayMs = 15 * 60_000

export function compareBooks(
  ours: readonly OurCharge[],
  movements: readonly Movement[],
  comparing: Comparing,
): Compared {
  const byName = new Map(
    ours.flatMap((our) => [our.idempotencyKey, ...our.references].map((name) => [name, our] as const)),
  )
  const booked = sumByCharge(movements)
  const seen = new Set<OurCharge>()
  const differences: Difference[] = []
  let [alike, foreign] = [0, 0]
  for (const there of booked) {
    const here = there.names.map((name) => byName.get(name)).find((found) => found !== undefined)
    if (here) seen.add(here)
    if (there.at < comparing.since && !here?.charged) continue
    if (!here && comparing.marksCharges && !there.isMarked) foreign += 1
    else {
      const found = differenceOf(there, here, comparing)
      if (found) differences.push(found)
      else alike += 1
    }
  }
  for (const here of ours) if (isMissingThere(here, seen, comparing)) differences.push(onlyHere(here))
  differences.sort((one, other) => one.at.getTime() - other.at.getTime())
  return { differences, alike, foreign }
}

type Booked = {
  readonly names: readonly string[]
  readonly isMarked: boolean
  readonly money: Money
  readonly at: Date
}

/** A charge that failed after all is booked twice, there and back: what counts is the sum. */
function sumByCharge(movements: readonly Movement[]): Booked[] {
  const charges = movements.filter(({ kind }) => kind === 'charge')
  const grouped = Map.groupBy(charges, (one) => one.chargeReference ?? one.idempotencyKey ?? one.reference)
  return [...grouped].map(([reference, same]) => {
    const [first] = same
    const keys = same.map(({ idempotencyKey }) => idempotencyKey).filter((key) => key !== undefined)
    const amounts = same.map((one) => (one.original ?? one.money).amountMinor)
    return {
      names: [reference, ...keys],
      isMarked: keys.length > 0,
      money: {
        amountMinor: amounts.reduce((sum, amount) => sum + amount, 0n),
        currency: (first?.original ?? first?.money)?.currency ?? '',
      },
      at: first?.at ?? new Date(0),
    }
  })
}

function differenceOf(
  there: Booked,
  here: OurCharge | undefined,
  { now }: Comparing,
): Difference | undefined {
  const { at, money } = there
  const reference = there.names[0] ?? ''
  const ours = here && { merchantId: here.merchantId, txRef: here.txRef }
  if (!here?.charged) {
    // Paid and taken back: nobody has the money.
    if (money.amountMinor === 0n || now.getTime() - at.getTime() < underWayMs) return undefined
    return { kind: 'paid_there_only', at, there: money, reference, ...ours }
  }
  const { charged } = here
  if (money.amountMinor === 0n) return { kind: 'paid_here_only', at, here: charged, reference, ...ours }
  if (charged.amountMinor === money.amountMinor && charged.currency === money.currency) return undefined
  return { kind: 'amounts_differ', at, there: money, here: charged, reference, ...ours }
}

function isMissingThere(here: OurCharge, seen: ReadonlySet<OurCharge>, comparing: Comparing): boolean {
  const { since, now, booksWithinMs } = comparing
  if (!here.charged || seen.has(here) || here.at < since) return false
  return now.getTime() - here.at.getTime() >= booksWithinMs
}

function onlyHere(here: OurCharge): Difference {
  return {
    kind: 'paid_here_only',
    at: here.at,
    ...(here.charged && { here: here.charged }),
    reference: here.references[0] ?? here.idempotencyKey,
    merchantId: here.merchantId,
    txRef: here.txRef,
  }
}
