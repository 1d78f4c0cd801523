import type { Money, Movement } from '../../connectors/hosted.ts'

// Our refunds beside what a network booked back, each by its own name. Pure, as the comparison of charges is.

export type OurRefund = {
  readonly merchantId: number
  readonly txRef: string
  /** Our key, and what the network calls it. */
  readonly names: readonly string[]
  readonly end: 'open' | 'done' | 'failed'
  readonly money: Money
  /** When it last moved. */
  readonly at: Date
}

export type RefundDifference = {
  readonly kind: 'refunded_there_only' | 'refunded_here_only' | 'refunds_differ'
  readonly at: Date
  readonly there?: Money
  readonly here?: Money
  /** The network's name of the refund. */
  readonly reference: string
  readonly merchantId?: number
  readonly txRef?: string
}

export type RefundsCompared = {
  readonly differences: readonly RefundDifference[]
  readonly alike: number
  /** Of charges of other programs, which share the account. */
  readonly foreign: number
}

export type ComparingRefunds = {
  readonly since: Date
  readonly now: Date
  /** How long the network may take until it books a refund. */
  readonly booksWithinMs: number
  /** A charge of ours, by the network's name. */
  findCharge(reference: string): { readonly merchantId: number; readonly txRef: string } | undefined
}

/** What was booked there a moment ago may be on its way to us. */
const underWayMs = 15 * 60_000

export function compareRefunds(
  ours: readonly OurRefund[],
  movements: readonly Movement[],
  comparing: ComparingRefunds,
): RefundsCompared {
  const byName = new Map(ours.flatMap((our) => our.names.map((name) => [name, our] as const)))
  const seen = new Set<OurRefund>()
  const differences: RefundDifference[] = []
  let [alike, foreign] = [0, 0]
  for (const there of sumByRefund(movements)) {
    const here = there.names.map((name) => byName.get(name)).find((found) => found !== undefined)
    if (here) seen.add(here)
    const charge = here ?? (there.charge === undefined ? undefined : comparing.findCharge(there.charge))
    if (there.at < comparing.since && here?.end !== 'done') continue
    if (!charge) foreign += 1
    else {
      const found = differenceOf(there, here, comparing)
      if (found) differences.push({ ...found, merchantId: charge.merchantId, txRef: charge.txRef })
      else if (here?.end === 'done') alike += 1
    }
  }
  for (const here of ours) if (isMissingThere(here, seen, comparing)) differences.push(onlyHere(here))
  differences.sort((one, other) => one.at.getTime() - other.at.getTime())
  return { differences, alike, foreign }
}

type Booked = {
  readonly names: readonly string[]
  readonly charge: string | undefined
  /** What went back; nothing when it came home again. */
  readonly money: Money
  readonly at: Date
}

/** A refund that came home is booked twice, there and back: what counts is the sum. */
function sumByRefund(movements: readonly Movement[]): Booked[] {
  const refunds = movements.filter(({ kind }) => kind === 'refund')
  const grouped = Map.groupBy(refunds, (one) => one.refundReference ?? one.idempotencyKey ?? one.reference)
  return [...grouped].map(([reference, same]) => {
    const [first] = same
    const keys = same.map(({ idempotencyKey }) => idempotencyKey).filter((key) => key !== undefined)
    const amounts = same.map((one) => (one.original ?? one.money).amountMinor)
    return {
      names: [reference, ...keys],
      charge: same.find(({ chargeReference }) => chargeReference !== undefined)?.chargeReference,
      money: {
        amountMinor: -amounts.reduce((sum, amount) => sum + amount, 0n),
        currency: (first?.original ?? first?.money)?.currency ?? '',
      },
      at: first?.at ?? new Date(0),
    }
  })
}

function differenceOf(
  { names, money, at }: Booked,
  here: OurRefund | undefined,
  { now }: ComparingRefunds,
): RefundDifference | undefined {
  const [reference = ''] = names
  const isBack = money.amountMinor === 0n
  if (here?.end !== 'done') {
    // One that is open may be booked already, and one that failed was booked and came home.
    if (isBack || here?.end === 'open' || now.getTime() - at.getTime() < underWayMs) return undefined
    return { kind: 'refunded_there_only', at, there: money, reference }
  }
  if (isBack) return { kind: 'refunded_here_only', at, here: here.money, reference }
  if (here.money.amountMinor === money.amountMinor && here.money.currency === money.currency) return undefined
  return { kind: 'refunds_differ', at, there: money, here: here.money, reference }
}

function isMissingThere(here: OurRefund, seen: ReadonlySet<OurRefund>, comparing: ComparingRefunds): boolean {
  const { since, now, booksWithinMs } = comparing
  if (here.end !== 'done' || seen.has(here) || here.at < since) return false
  return now.getTime() - here.at.getTime() >= booksWithinMs
}

function onlyHere({ merchantId, txRef, names, money, at }: OurRefund): RefundDifference {
  return { kind: 'refunded_here_only', at, here: money, reference: names.at(-1) ?? '', merchantId, txRef }
}
