import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import type { ReportedLine, ReportedPayout } from '../../src/core/networks/payout-reports.ts'
import { makeFakeNetwork } from './fake-network.ts'

// A network that books and pays out as a test says, and keeps its own books: what Florin copies is compared with them.

export type PayoutNetwork = {
  readonly connector: HostedConnector
  /** All bookings, in a payout or not. */
  readonly lines: readonly ReportedLine[]
  readonly payouts: readonly ReportedPayout[]
  book(line?: Partial<ReportedLine>): ReportedLine
  /** Everything that is in no payout; undefined when that is nothing, or less. */
  payOut(options?: { readonly lines?: ReportedPayout['lines'] }): ReportedPayout | undefined
  change(reference: string, change: Partial<ReportedPayout>): void
  linesOf(reference: string): readonly ReportedLine[]
  /** What it holds, by its own books. */
  held(): bigint
  /** Called before each thing that is reported; may throw, as a network that goes away does. */
  interrupt: (at: 'payout' | 'line' | 'booking' | 'balance') => void | Promise<void>
  /** Added to what it says it holds. */
  lies: bigint
}

export function netOf({ grossMinor, feeMinor, taxMinor }: ReportedLine): bigint {
  return grossMinor - feeMinor - taxMinor
}

export function makePayoutNetwork(now: () => Date): PayoutNetwork {
  const lines: ReportedLine[] = []
  const payouts: ReportedPayout[] = []
  const paidIn = new Map<string, string>()
  const unpaid = (): ReportedLine[] => lines.filter(({ reference }) => !paidIn.has(reference))
  const linesOf = (payout: string): ReportedLine[] =>
    lines.filter(({ reference }) => paidIn.get(reference) === payout)
  const network: PayoutNetwork = {
    connector: connectorOf(() => network),
    lines,
    payouts,
    book(more = {}) {
      const line: ReportedLine = {
        reference: `txn_${lines.length + 1}`,
        kind: 'payment',
        type: 'charge',
        currency: 'GBP',
        grossMinor: 1_000n,
        feeMinor: 30n,
        taxMinor: 6n,
        bookedAt: now(),
        availableAt: new Date(now().getTime() + 86_400_000),
        ...more,
      }
      lines.push(line)
      return line
    },
    payOut({ lines: told = 'ready' } = {}) {
      const waiting = unpaid()
      const amountMinor = waiting.reduce((sum, line) => sum + netOf(line), 0n)
      if (amountMinor <= 0n) return undefined
      const reference = `po_${payouts.length + 1}`
      for (const line of waiting) paidIn.set(line.reference, reference)
      const payout: ReportedPayout = {
        reference,
        status: 'announced',
        money: { amountMinor, currency: 'GBP' },
        madeAt: now(),
        arrivesOn: '2026-11-20',
        lines: told,
      }
      payouts.push(payout)
      return payout
    },
    change(reference, change) {
      const place = payouts.findIndex((one) => one.reference === reference)
      const before = payouts[place]
      if (!before) throw new Error(`there is no payout ${reference}`)
      payouts[place] = { ...before, ...change }
    },
    linesOf,
    held() {
      const booked = lines.reduce((sum, line) => sum + netOf(line), 0n)
      const gone = payouts.filter(({ status }) => status !== 'failed')
      return booked - gone.reduce((sum, { money }) => sum + money.amountMinor, 0n)
    },
    interrupt: () => {},
    lies: 0n,
  }
  return network
}

function connectorOf(own: () => PayoutNetwork): HostedConnector {
  return {
    ...makeFakeNetwork(),
    credentials: [],
    async *payouts(_account, since) {
      for (const payout of own().payouts.filter(({ madeAt }) => madeAt >= since)) {
        await own().interrupt('payout')
        yield payout
      }
    },
    async *payoutLines(_account, { reference }) {
      for (const line of own().linesOf(reference)) {
        await own().interrupt('line')
        yield line
      }
    },
    async *bookings(_account, since) {
      for (const line of own().lines.filter(({ bookedAt }) => bookedAt >= since)) {
        await own().interrupt('booking')
        yield line
      }
    },
    async balance() {
      await own().interrupt('balance')
      return [{ currency: 'GBP', amountMinor: own().held() + own().lies }]
    },
  }
}
