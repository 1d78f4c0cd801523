import type { Transaction } from '../../../../platform/database/database.ts'
import { mailCustomers } from '../../../notifications/announce.ts'
import type { LockedPayment } from '../../store.ts'
import { customerOf, type PaidWith, type TransitionDeps } from '../../transition.ts'
import type { StandingAttempt } from '../attempt-store.ts'
import type { AttemptMove } from '../move-attempt.ts'

// Some networks take days to move the money. The customer is long gone by then, so they get a mail when the payment is on
// its way and another one if it never arrives. When it does arrive, the receipt says so.

/**
 * `isTold`: a network that must be told to take the money was told, and named the charge. Most of them decide within a
 * second.
 */
export type TakesDays = (connector: string, isTold: boolean) => boolean

export type SlowMove = {
  readonly attempt: StandingAttempt
  readonly move: AttemptMove
  readonly payment: LockedPayment
  readonly paidWith: PaidWith | undefined
}

type Deps = Pick<TransitionDeps, 'outbox' | 'baseUrl'> & {
  /** Whether a network, by its name, takes days. */
  readonly takesDays?: TakesDays
}

export async function notifyOfSlowPayments(
  deps: Deps,
  tx: Transaction,
  moves: readonly SlowMove[],
): Promise<void> {
  const mails = moves.flatMap(({ attempt, move, payment, paidWith }) => {
    const event = eventOf(attempt, move, payment)
    const { connector, charge_reference } = attempt
    if (event === undefined || !deps.takesDays?.(connector, charge_reference !== null)) return []
    const { merchant_id: merchantId, number, mode } = payment
    return [{ merchantId, number, mode, event, customer: customerOf(payment, deps.baseUrl, paidWith) }]
  })
  if (mails.length > 0) await mailCustomers(deps.outbox, tx, mails)
}

function eventOf(
  { state }: StandingAttempt,
  { before }: AttemptMove,
  payment: LockedPayment,
): 'payment.on_its_way' | 'payment.not_arrived' | undefined {
  // A payment that has ended was announced by its own e-mail.
  if (payment.state !== 'pending') return undefined
  if (state === 'submitted') return 'payment.on_its_way'
  const isOver = state === 'declined' || state === 'not_sent'
  return isOver && before.state === 'submitted' ? 'payment.not_arrived' : undefined
}
