import type { Account, Checked, HostedConnector } from '../../core/networks/hosted.ts'
import { readCallback } from './callback.ts'
import { ask, dataOf, name, type PaystackWay } from './client.ts'
import { limitsOf, methodsOf } from './currencies.ts'
import { disputesSince, fetchDispute } from './disputes.ts'
import { movements } from './movements.ts'
import { fetch, open, withdraw } from './orders.ts'
import { payoutLines, payouts } from './payouts.ts'
import { fetchRefund, refund } from './refunds.ts'
import { chargeSaved, fetchCharge, forget, withdrawCharge } from './saved.ts'

// Cards, bank payments and mobile money in Nigeria, Ghana, Kenya and South Africa.

export const paystackApi = 'https://api.paystack.co'

export function makePaystack(way: PaystackWay): HostedConnector {
  return {
    kind: 'hosted',
    name: 'paystack',
    label: name,
    mode: 'live',
    // It signs callbacks with the same key.
    credentials: [{ name: 'secret_key', label: 'Secret key' }],
    isSandbox,
    methods: methodsOf,
    limits: limitsOf,
    check: async (account, _, signal) => check(way, account, signal),
    open: async (...asked) => open(way, ...asked),
    fetch: async (account, order, signal) =>
      (order.token === undefined ? fetch : fetchCharge)(way, account, order, signal),
    withdraw: async (account, order, signal) =>
      (order.token === undefined ? withdraw : withdrawCharge)(way, account, order, signal),
    saves: (currency) => methodsOf(currency).filter((method) => method === 'card'),
    chargeSaved: async (...asked) => chargeSaved(way, ...asked),
    forget: async (...asked) => forget(way, ...asked),
    refund: async (...asked) => refund(way, ...asked),
    fetchRefund: async (...asked) => fetchRefund(way, ...asked),
    readCallback,
    fetchDispute: async (...asked) => fetchDispute(way, ...asked),
    disputeUrl: (reference) => `https://dashboard.paystack.com/#/disputes/${encodeURIComponent(reference)}`,
    disputesSince: (...asked) => disputesSince(way, ...asked),
    marksCharges: true,
    movements: (...asked) => movements(way, ...asked),
    payouts: (...asked) => payouts(way, ...asked),
    payoutLines: (...asked) => payoutLines(way, ...asked),
  }
}

function isSandbox(credentials: Account['credentials']): boolean {
  return credentials['secret_key']?.startsWith('sk_test_') ?? false
}

async function check(way: PaystackWay, account: Account, signal: AbortSignal): Promise<Checked> {
  const answer = await ask(way, account, { path: '/integration/payment_session_timeout' }, signal)
  if (answer.kind === 'refused') return { kind: 'refused', why: answer.why }
  dataOf(answer)
  const sandbox = isSandbox(account.credentials)
  return {
    kind: 'works',
    // Its API does not say whose key it is.
    accountName: `Paystack account (${sandbox ? 'test' : 'live'} key)`,
    sandbox,
    // Nor where callbacks go: the URL is set in its dashboard.
    callbacks: 'unknown',
  }
}
