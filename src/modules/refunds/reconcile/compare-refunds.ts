import type { Money, Movement } from '../../../core/networks/hosted.ts'
import {
  inOrder,
  isMissingThere,
  isSameMoney,
  isUnderWay,
  makeFindByName,
  sumBooked,
  type Booked,
  type Comparing,
} from '../../../core/payments/reconcile/compare.ts'

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
  /** Refunds of other programs' charges, which share the account. */
  readonly foreign: number
}

export type ComparingRefunds = Comparing & {
  /** A charge of ours, by the network's name. */
  findCharge(reference: string): { readonly merchantId: number; readonly txRef: string } | undefined
}

export function compareRefunds(
  ours: readonly OurRefund[],
  movements: readonly Movement[],
  comparing: ComparingRefunds,
): RefundsCompared {
  const findHere = makeFindByName(ours, ({ names }) => names)
  const seen = new Set<OurRefund>()
  const differences: RefundDifference[] = []
  let [alike, foreign] = [0, 0]
  for (const there of sumBooked(movements, 'refund')) {
    const here = findHere(there.names)
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
  for (const here of ours)
    if (here.end === 'done' && !seen.has(here) && isMissingThere(here.at, comparing))
      differences.push(onlyHere(here))
  return { differences: inOrder(differences), alike, foreign }
}

function differenceOf(
  { names, money: booked, at }: Booked,
  here: OurRefund | undefined,
  comparing: Comparing,
): RefundDifference | undefined {
  const [reference = ''] = names
  // Booked as money that left; nothing when it came home again.
  const money = { ...booked, amountMinor: -booked.amountMinor }
  const isBack = money.amountMinor === 0n
  if (here?.end !== 'done') {
    // An open refund may already be booked, and a failed one was booked and bounced.
    if (isBack || here?.end === 'open' || isUnderWay(at, comparing)) return undefined
    return { kind: 'refunded_there_only', at, there: money, reference }
  }
  if (isBack) return { kind: 'refunded_here_only', at, here: here.money, reference }
  if (isSameMoney(here.money, money)) return undefined
  return { kind: 'refunds_differ', at, there: money, here: here.money, reference }
}

function onlyHere({ merchantId, txRef, names, money, at }: OurRefund): RefundDifference {
  return { kind: 'refunded_here_only', at, here: money, reference: names.at(-1) ?? '', merchantId, txRef }
}
