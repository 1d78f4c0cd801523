import type { Metrics } from '../../platform/http/metrics.ts'
import type { Core } from '../../platform/jobs/core.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import { modes, type Mode } from '../../core/merchants/mode.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { refundStates, type RefundState } from './state-machine.ts'

/** What refunds need, put together once per process. */
export type Refunding = Core & {
  readonly paying: Paying
  readonly findMerchant: (merchantId: number) => Promise<Merchant | undefined>
  readonly metrics: RefundMetrics
}

/** Told once the commit is known. */
export type RefundMetrics = {
  refundMoved(of: { readonly mode: Mode; readonly connector: string; readonly outcome: RefundState }): void
}

/** Once per process: it registers its metrics. */
export function makeRefunding({
  metrics,
  ...given
}: Omit<Refunding, 'metrics'> & { readonly metrics: Metrics }): Refunding {
  const networks = given.paying.connectors.map(({ name }) => name)
  return { ...given, metrics: makeRefundMetrics(metrics, networks) }
}

export function makeRefundMetrics(metrics: Metrics, connectors: readonly string[]): RefundMetrics {
  const refunds = metrics.counter(
    'florin_refunds_total',
    'Refunds that entered a state, by mode, connector and state: submitted, succeeded, failed.',
    { mode: modes, connector: connectors, outcome: refundStates },
  )
  return { refundMoved: (of) => refunds.inc(of) }
}

/** Twice a network call's limit: a refund held for longer lost its server. */
export const leaseMs = 30_000
