import type { Mode } from '../../merchants/mode.ts'
import { takenByBank } from '../disputed/loss.ts'
import { paymentEvents, type PaymentEvent, type PaymentState } from '../state-machine.ts'
import type { PaymentRow } from '../store.ts'

// What a payment's move adds to a day's totals, and what it subtracts from an earlier one. A figure belongs to the day
// it happened; if it is reversed later it is removed from that day, so a day always shows what is true now.

export type Figures = {
  readonly paid: bigint
  readonly paidMinor: bigint
  /** The operator's fee on what was paid, less what refunds returned of it. Never part of net. */
  readonly feeMinor: bigint
  readonly unpaid: bigint
  readonly refunds: bigint
  readonly refundedMinor: bigint
  readonly reversed: bigint
  readonly reversedMinor: bigint
}

export const noFigures: Figures = {
  paid: 0n,
  paidMinor: 0n,
  feeMinor: 0n,
  unpaid: 0n,
  refunds: 0n,
  refundedMinor: 0n,
  reversed: 0n,
  reversedMinor: 0n,
}

/** For today. */
export type Tally = Figures & { readonly mode: Mode; readonly currency: string }

/** For the day the payment had entered this state. */
export type Untally = Tally & { readonly number: string; readonly sinceState: PaymentState }

type Counted = Pick<
  PaymentRow,
  'number' | 'mode' | 'currency' | 'state' | 'amount_minor' | 'charge_minor' | 'refunded_minor' | 'dispute'
>

const unpaidStates: readonly PaymentState[] = ['failed', 'cancelled', 'expired']

/** `payment` as it was before the event, which must be one that can happen to it. */
export function tallyOf(payment: Counted, event: PaymentEvent): Partial<Figures> {
  const { to } = paymentEvents[event]
  if (event === 'paid') return { paid: 1n, paidMinor: payment.amount_minor, feeMinor: payment.charge_minor }
  if (unpaidStates.includes(to)) return { unpaid: 1n }
  if (to === 'reversed') return { reversed: 1n, reversedMinor: takenByBank({ ...payment, state: to }) }
  return {}
}

function untallyOf(payment: Counted): Partial<Figures> {
  if (unpaidStates.includes(payment.state)) return { unpaid: -1n }
  if (payment.state === 'reversed') return { reversed: -1n, reversedMinor: -takenByBank(payment) }
  return {}
}

type Counting = { readonly payment: Counted; readonly event: PaymentEvent }

/** Moves that share a commit are one row per mode and currency. */
export function talliesOf(moves: readonly Counting[]): Tally[] {
  const sums = new Map<string, Tally>()
  for (const { payment, event } of moves) {
    const figures = tallyOf(payment, event)
    if (Object.keys(figures).length === 0) continue
    const { mode, currency } = payment
    const name = `${mode} ${currency}`
    sums.set(name, { mode, currency, ...addFigures(sums.get(name) ?? noFigures, figures) })
  }
  return [...sums.values()]
}

export function untalliesOf(moves: readonly Counting[]): Untally[] {
  return moves.flatMap(({ payment }) => {
    const figures = untallyOf(payment)
    if (Object.keys(figures).length === 0) return []
    const { mode, currency, number, state } = payment
    return [{ mode, currency, number, sinceState: state, ...noFigures, ...figures }]
  })
}

export function addFigures(one: Figures, other: Partial<Figures>): Figures {
  const sum = (name: keyof Figures): bigint => one[name] + (other[name] ?? 0n)
  return {
    paid: sum('paid'),
    paidMinor: sum('paidMinor'),
    feeMinor: sum('feeMinor'),
    unpaid: sum('unpaid'),
    refunds: sum('refunds'),
    refundedMinor: sum('refundedMinor'),
    reversed: sum('reversed'),
    reversedMinor: sum('reversedMinor'),
  }
}
