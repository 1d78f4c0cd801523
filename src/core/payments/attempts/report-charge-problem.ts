import type { Money } from '../../networks/connector.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import type { Logger } from '../../../platform/http/log.ts'
import type { Metrics } from '../../../platform/http/metrics.ts'
import type { Outbox } from '../../notifications/outbox.ts'
import { warnMerchant } from '../../notifications/warn-merchant.ts'
import { modes, type Mode } from '../../merchants/mode.ts'
import { attemptStates, paymentStates, type AttemptState } from '../state-machine.ts'
import type { PaymentRow } from '../store.ts'
import type { PaymentMetrics } from '../transition.ts'

// Money that did not come as it should: late, of another amount, twice. Told loudly, in the commit that found it.

/**
 * `late`: after we gave the attempt up. `after_end`: after the payment had ended. `stuck`: the network refused to
 * return surplus money.
 */
const troubles = ['late', 'held', 'surplus', 'after_end', 'stuck'] as const
export type Trouble = (typeof troubles)[number]

export type AttemptMetrics = PaymentMetrics & {
  trouble(kind: Trouble): void
  /** Told once the commit is known. */
  attemptMoved(of: { readonly mode: Mode; readonly connector: string; readonly outcome: AttemptState }): void
}

export function makeAttemptMetrics(metrics: Metrics, connectors: readonly string[]): AttemptMetrics {
  const charges = metrics.counter(
    'florin_unusual_charges_total',
    'Charges that arrived late, had another amount (held), were for a payment already paid (surplus) or already over (after_end), or could not be returned (stuck).',
    { kind: troubles },
  )
  const payments = metrics.counter(
    'florin_payments_total',
    'Payments that entered a state, by mode and state: success, failed, cancelled, expired, refunded, reversed.',
    { mode: modes, state: paymentStates },
  )
  const attempts = metrics.counter(
    'florin_attempts_total',
    'Attempts that entered a state, by mode, connector and state: succeeded, declined, unknown and so on.',
    { mode: modes, connector: connectors, outcome: attemptStates },
  )
  return {
    trouble: (kind) => charges.inc({ kind }),
    paymentMoved: (mode, state) => payments.inc({ mode, state }),
    attemptMoved: (of) => attempts.inc(of),
  }
}

const sentences: Readonly<Record<Trouble, string>> = {
  late: 'A network charged an abandoned attempt; the payment is paid, marked late',
  held: "A network charged another amount or currency than the payment's; check it by hand",
  surplus: 'A network charged a payment that was already paid; returning the money',
  after_end: 'A network charged a payment that had already ended; returning the money',
  stuck: "A network doesn't return a surplus charge; check it by hand",
}

type TellDeps = { readonly outbox: Outbox; readonly log: Logger; readonly metrics: AttemptMetrics }

export async function reportChargeProblem(
  { outbox, log, metrics }: TellDeps,
  tx: Transaction,
  kind: Trouble,
  told: { payment: PaymentRow; attempt: number; charged: Money | undefined },
): Promise<void> {
  const { payment, attempt } = told
  const charged = told.charged ?? { amountMinor: payment.amount_minor, currency: payment.currency }
  const key = { merchantId: payment.merchant_id, number: payment.number, attempt }
  const amounts = { charged: `${charged.amountMinor} ${charged.currency}` }
  log[kind === 'late' ? 'warn' : 'error']({ ...key, trouble: kind, ...amounts }, sentences[kind])
  metrics.trouble(kind)
  if (kind === 'late') return
  await warnMerchant(outbox, tx, { merchantId: payment.merchant_id, mode: payment.mode }, `charge.${kind}`, {
    template: `charge_${kind}`,
    reference: payment.reference,
    txRef: payment.tx_ref,
    amountMinor: String(payment.amount_minor),
    currency: payment.currency,
    chargedMinor: String(charged.amountMinor),
    chargedCurrency: charged.currency,
  })
}
