import { rootCertificates } from 'node:tls'
import type { HostedConnector } from '../../core/networks/hosted.ts'
import { check, setUpCallback } from './account.ts'
import { payPalCurrencies, payPalLimits } from './amounts.ts'
import { prepareCallback, readCallback } from './callback.ts'
import { makeCertificates } from './certificates.ts'
import { name, type PayPalOptions, type PayPalWay } from './client.ts'
import { disputesSince, fetchDispute } from './disputes.ts'
import { capture, fetch, open, withdraw } from './orders.ts'
import { fetchRefund, refund } from './refunds.ts'
import { makeTokens } from './tokens.ts'
import { balance, bookings, movements, payoutLines, payouts } from './transactions.ts'

// PayPal: the customer approves on PayPal's page, with their balance, bank or card, and Florin takes the money once they did.

/** PayPal's own hosts, and who may vouch for its certificates. */
export const payPalHosts = {
  apis: { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' },
  certificates: { live: 'https://api.paypal.com', sandbox: 'https://api.sandbox.paypal.com' },
  roots: rootCertificates,
} as const

const currencies = new Set(payPalCurrencies)

export function makePayPal(options: PayPalOptions): HostedConnector {
  const way: PayPalWay = { ...options, tokens: makeTokens(options), kept: makeCertificates(options) }
  return {
    kind: 'hosted',
    name: 'paypal',
    label: name,
    mode: 'live',
    credentials: [
      { name: 'client_id', label: 'Client ID' },
      { name: 'client_secret', label: 'Secret' },
      { name: 'webhook_id', label: 'Webhook ID', optional: true },
    ],
    // They look the same for both; `check` finds out.
    isSandbox: () => false,
    methods: (currency) => (currencies.has(currency) ? ['wallet'] : []),
    limits: payPalLimits,
    check: async (...asked) => check(way, ...asked),
    setUpCallback: async (...asked) => setUpCallback(way, ...asked),
    open: async (...asked) => open(way, ...asked),
    fetch: async (...asked) => fetch(way, ...asked),
    withdraw: async (...asked) => withdraw(way, ...asked),
    capture: async (...asked) => capture(way, ...asked),
    refund: async (...asked) => refund(way, ...asked),
    fetchRefund: async (...asked) => fetchRefund(way, ...asked),
    prepareCallback: async (...asked) => prepareCallback(way, ...asked),
    readCallback: (...asked) => readCallback(way, ...asked),
    // A capture that PayPal reviews.
    takesDays: true,
    fetchDispute: async (...asked) => fetchDispute(way, ...asked),
    disputeUrl: () => 'https://www.paypal.com/resolutioncenter/',
    disputesSince: (...asked) => disputesSince(way, ...asked),
    marksCharges: true,
    // PayPal may refuse to list the last 36 hours.
    booksWithinDays: 2,
    movements: (...asked) => movements(way, ...asked),
    payouts: (...asked) => payouts(way, ...asked),
    payoutLines: () => payoutLines(),
    bookings: (...asked) => bookings(way, ...asked),
    balance: async (...asked) => balance(way, ...asked),
  }
}
