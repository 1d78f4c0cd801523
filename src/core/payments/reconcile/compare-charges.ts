import type { Money, Movement } from '../../networks/hosted.ts'
import {
  inOrder,
  isMissingThere,
  isSameMoney,
  isUnderWay,
  makeFindByName,
  sumBooked,
  type Booked,
  type Comparing,
} from './compare.ts'

// Compares our records with a network's. Pure: the caller reads both.

/** An attempt, charged or not. */
export type OurCharge = {
  readonly merchantId: number
  readonly txRef: string
  readonly idempotencyKey: string
  /** The network's ids for it. */
  readonly references: readonly string[]
  /** The amount the network took; undefined while it took nothing. */
  readonly charged: Money | undefined
  /** Surplus money is returned automatically: requested, or done. */
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

export type ComparingCharges = Comparing & {
  /** The network repeats our key with each charge, so one without it is not of Florin. */
  readonly marksCharges: boolean
}

export function compareCharges(
  ours: readonly OurCharge[],
  movements: readonly Movement[],
  comparing: ComparingCharges,
): Compared {
  const findHere = makeFindByName(ours, (our) => [our.idempotencyKey, ...our.references])
  const seen = new Set<OurCharge>()
  const differences: Difference[] = []
  let [alike, foreign] = [0, 0]
  for (const there of sumBooked(movements, 'charge')) {
    const here = findHere(there.names)
    if (here) seen.add(here)
    if (there.at < comparing.since && !here?.charged) continue
    if (!here && comparing.marksCharges && !there.isMarked) foreign += 1
    else {
      const found = differenceOf(there, here, comparing)
      if (found) differences.push(found)
      else alike += 1
    }
  }
  for (const here of ours)
    if (here.charged && !seen.has(here) && isMissingThere(here.at, comparing))
      differences.push(onlyHere(here))
  return { differences: inOrder(differences), alike, foreign }
}

function differenceOf(
  there: Booked,
  here: OurCharge | undefined,
  comparing: Comparing,
): Difference | undefined {
  const { at, money } = there
  const reference = there.names[0] ?? ''
  const ours = here && { merchantId: here.merchantId, txRef: here.txRef }
  if (!here?.charged) {
    // Paid and reversed: the money is gone again.
    if (money.amountMinor === 0n || isUnderWay(at, comparing)) return undefined
    return { kind: 'paid_there_only', at, there: money, reference, ...ours }
  }
  const { charged } = here
  if (money.amountMinor === 0n) return { kind: 'paid_here_only', at, here: charged, reference, ...ours }
  if (isSameMoney(charged, money)) return undefined
  return { kind: 'amounts_differ', at, there: money, here: charged, reference, ...ours }
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
