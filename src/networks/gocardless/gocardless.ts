import type { Account, Checked, HostedConnector, PaymentMethod } from '../../core/networks/hosted.ts'
import { readCallback } from './callback.ts'
import { ask, bodyOf, itemsOf, name, type GoCardlessWay } from './client.ts'
import { disputesSince, fetchDispute } from './disputes.ts'
import { movements } from './movements.ts'
import { fetch, open, withdraw } from './orders.ts'
import { payoutLines, payouts } from './payouts.ts'
import { fetchRefund, refund } from './refunds.ts'
import { chargeSaved, fetchCharge, fetchMethod, forget, isCharge, withdrawCharge } from './saved.ts'

// Instant bank payments: the customer approves in their bank's app. Pounds in the United Kingdom; euros in Germany,
// France and Ireland. With an agreement the bank account is saved as a mandate, and charged later by direct debit.

export const goCardlessApis = {
  live: 'https://api.gocardless.com',
  sandbox: 'https://api-sandbox.gocardless.com',
} as const

const currencies = new Set(['GBP', 'EUR'])
/** A million, which Faster Payments carry at most. Banks and accounts have lower limits of their own, told on the page. */
const most = 100_000_000n

const takenAs = (currency: string): readonly PaymentMethod[] => (currencies.has(currency) ? ['bank'] : [])

export function makeGoCardless(way: GoCardlessWay): HostedConnector {
  return {
    kind: 'hosted',
    name: 'gocardless',
    label: name,
    mode: 'live',
    credentials: [
      { name: 'access_token', label: 'Access token' },
      { name: 'webhook_secret', label: 'Secret of the webhook endpoint', optional: true },
    ],
    isSandbox,
    methods: takenAs,
    limits: (currency) => ({ least: 1n, most: currencies.has(currency) ? most : 0n }),
    check: async (account, _, signal) => check(way, account, signal),
    open: async (...asked) => open(way, ...asked),
    fetch: async (account, order, signal) =>
      (isCharge(order) ? fetchCharge : fetch)(way, account, order, signal),
    withdraw: async (account, order, signal) =>
      (isCharge(order) ? withdrawCharge : withdraw)(way, account, order, signal),
    saves: takenAs,
    chargeSaved: async (...asked) => chargeSaved(way, ...asked),
    forget: async (...asked) => forget(way, ...asked),
    fetchMethod: async (...asked) => fetchMethod(way, ...asked),
    fetchDispute: async (...asked) => fetchDispute(way, ...asked),
    disputesSince: (...asked) => disputesSince(way, ...asked),
    refund: async (...asked) => refund(way, ...asked),
    fetchRefund: async (...asked) => fetchRefund(way, ...asked),
    readCallback,
    takesDays: true,
    // It reports charges when it pays them out, some working days later.
    booksWithinDays: 10,
    movements: (...asked) => movements(way, ...asked),
    payouts: (...asked) => payouts(way, ...asked),
    payoutLines: (...asked) => payoutLines(way, ...asked),
  }
}

function isSandbox(credentials: Account['credentials']): boolean {
  return credentials['access_token']?.startsWith('sandbox_') ?? false
}

async function check(way: GoCardlessWay, account: Account, signal: AbortSignal): Promise<Checked> {
  const answer = await ask(way, account, { path: '/creditors?limit=1' }, signal)
  if (answer.kind === 'refused') return { kind: 'refused', why: answer.why }
  const [creditor] = itemsOf(bodyOf(answer), 'creditors')
  if (!creditor) return { kind: 'refused', why: 'the account has no creditor yet' }
  const hasSecret = (account.credentials['webhook_secret'] ?? '') !== ''
  return {
    kind: 'works',
    accountName: `${creditor.name ?? 'GoCardless account'} (${creditor.id})`,
    sandbox: isSandbox(account.credentials),
    // Its API can't list endpoints, so we can't tell where callbacks go.
    callbacks: hasSecret ? 'unknown' : 'missing',
  }
}
