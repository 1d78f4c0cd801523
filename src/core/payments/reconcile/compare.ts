import type { Money, Movement } from '../../networks/hosted.ts'

// Shared by the comparisons of charges and refunds with a network's records. Pure.

export type Comparing = {
  readonly since: Date
  readonly now: Date
  /** How long the network may take until it books something: until then nothing is missing there. */
  readonly booksWithinMs: number
}

/** One charge or refund as the network booked it. */
export type Booked = {
  /** The network's name first, then our keys. */
  readonly names: readonly string[]
  readonly charge: string | undefined
  readonly isMarked: boolean
  readonly money: Money
  readonly at: Date
}

/** A booking from a moment ago may still be on its way to us. */
const underWayMs = 15 * 60_000

/** Something that was undone is booked twice, there and back: what counts is the sum. */
export function sumBooked(movements: readonly Movement[], kind: 'charge' | 'refund'): Booked[] {
  const ofKind = movements.filter((one) => one.kind === kind)
  const nameOf = (one: Movement) => (kind === 'charge' ? one.chargeReference : one.refundReference)
  const grouped = Map.groupBy(ofKind, (one) => nameOf(one) ?? one.idempotencyKey ?? one.reference)
  return [...grouped].map(([reference, same]) => {
    const [first] = same
    const keys = same.map(({ idempotencyKey }) => idempotencyKey).filter((key) => key !== undefined)
    const amounts = same.map((one) => (one.original ?? one.money).amountMinor)
    return {
      names: [reference, ...keys],
      charge: same.find(({ chargeReference }) => chargeReference !== undefined)?.chargeReference,
      isMarked: keys.length > 0,
      money: {
        amountMinor: amounts.reduce((sum, amount) => sum + amount, 0n),
        currency: (first?.original ?? first?.money)?.currency ?? '',
      },
      at: first?.at ?? new Date(0),
    }
  })
}

export function isUnderWay(at: Date, { now }: Comparing): boolean {
  return now.getTime() - at.getTime() < underWayMs
}

export function isSameMoney(one: Money, other: Money): boolean {
  return one.amountMinor === other.amountMinor && one.currency === other.currency
}

/** Done here, not booked there, and the network had its time. */
export function isMissingThere(at: Date, { since, now, booksWithinMs }: Comparing): boolean {
  return at >= since && now.getTime() - at.getTime() >= booksWithinMs
}

/** The record of ours with one of these ids. */
export function makeFindByName<Our>(
  ours: readonly Our[],
  namesOf: (our: Our) => readonly string[],
): (names: readonly string[]) => Our | undefined {
  const byName = new Map(ours.flatMap((our) => namesOf(our).map((name) => [name, our] as const)))
  return (names) => names.map((name) => byName.get(name)).find((found) => found !== undefined)
}

export function inOrder<Difference extends { readonly at: Date }>(
  differences: readonly Difference[],
): Difference[] {
  return differences.toSorted((one, other) => one.at.getTime() - other.at.getTime())
}
