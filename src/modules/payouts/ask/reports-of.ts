import type { Connector } from '../../../core/networks/hosted.ts'
import type { PayoutReports } from '../../../core/networks/payout-reports.ts'
import { accountOf } from '../../../core/payments/attempts/hosted/account-of.ts'
import type { Payouts } from '../payouts.ts'
import type { NewFeed } from './feed-store.ts'

/** Whether a network reports payouts at all. */
export function reportsPayouts(connector: Connector): boolean {
  return connector.kind === 'form' ? connector.payoutsTo !== undefined : connector.payouts !== undefined
}

/** A network whose cards are typed on our own page has no accounts: this is used instead. */
export function accountOfForm(connector: string): string {
  return `acc_${connector}`
}

/** Throws when the account is gone: it is asked again later. */
export async function reportsOf(payouts: Payouts, feed: NewFeed): Promise<PayoutReports> {
  const form = payouts.connectors.find(({ name, kind }) => name === feed.connector && kind === 'form')
  if (form?.kind === 'form') {
    if (!form.payoutsTo) throw new Error(`${feed.connector} reports no payouts`)
    return form.payoutsTo(feed.merchant_id)
  }
  const { connector, account } = await accountOf(payouts, feed)
  if (!connector.payouts || !connector.payoutLines) throw new Error(`${feed.connector} reports no payouts`)
  return {
    payouts: (since, signal) => connector.payouts?.(account, since, signal) ?? none(),
    payoutLines: (payout, signal) => connector.payoutLines?.(account, payout, signal) ?? none(),
    bookings:
      connector.bookings && ((since, signal) => connector.bookings?.(account, since, signal) ?? none()),
    balance: connector.balance && (async (signal) => (await connector.balance?.(account, signal)) ?? []),
  }
}

async function* none(): AsyncGenerator<never> {}
