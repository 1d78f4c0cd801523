import type { HostedConnector, PaymentMethod } from '../../core/networks/hosted.ts'
import { check, isSandbox, setUpCallback } from './account.ts'
import { stripeCurrencies, stripeLimits } from './amounts.ts'
import { readCallback } from './callback.ts'
import { name, type StripeOptions, type StripeWay } from './client.ts'
import { makeClients } from './clients.ts'
import { disputeReplies } from './dispute-replies.ts'
import { disputesSince, fetchDispute } from './disputes.ts'
import { movements } from './movements.ts'
import { fetch, open, withdraw } from './orders.ts'
import { balance, bookings, payoutLines, payouts } from './payouts.ts'
import { fetchRefund, refund } from './refunds.ts'
import { chargeSaved, fetchCharge, forget, isCharge, withdrawCharge } from './saved.ts'

// Stripe Checkout: cards, wallets and what else the merchant switched on there, all on Stripe's own page.

export const stripeApi = 'https://api.stripe.com'

const currencies = new Set(stripeCurrencies)

const takenAs = (currency: string): readonly PaymentMethod[] => (currencies.has(currency) ? ['card'] : [])

export function makeStripe(options: StripeOptions): HostedConnector {
  const way: StripeWay = { ...options, clients: makeClients(options) }
  return {
    kind: 'hosted',
    name: 'stripe',
    label: name,
    mode: 'live',
    credentials: [
      { name: 'secret_key', label: 'Secret key' },
      { name: 'webhook_secret', label: 'Signing secret of the webhook endpoint', optional: true },
    ],
    isSandbox,
    methods: takenAs,
    limits: stripeLimits,
    check: async (...asked) => check(way, ...asked),
    setUpCallback: async (...asked) => setUpCallback(way, ...asked),
    open: async (...asked) => open(way, ...asked),
    fetch: async (account, order, signal) =>
      (isCharge(order) ? fetchCharge : fetch)(way, account, order, signal),
    withdraw: async (account, order, signal) =>
      (isCharge(order) ? withdrawCharge : withdraw)(way, account, order, signal),
    saves: takenAs,
    chargeSaved: async (...asked) => chargeSaved(way, ...asked),
    forget: async (...asked) => forget(way, ...asked),
    refund: async (...asked) => refund(way, ...asked),
    fetchRefund: async (...asked) => fetchRefund(way, ...asked),
    readCallback,
    // Direct debits and bank transfers, where the account offers them. A card is never left pending.
    takesDays: true,
    fetchDispute: async (...asked) => fetchDispute(way, ...asked),
    disputeUrl: (reference) => `https://dashboard.stripe.com/disputes/${encodeURIComponent(reference)}`,
    disputeReplies: (account) => disputeReplies(way, account),
    disputesSince: (...asked) => disputesSince(way, ...asked),
    marksCharges: true,
    movements: (...asked) => movements(way, ...asked),
    payouts: (...asked) => payouts(way, ...asked),
    payoutLines: (...asked) => payoutLines(way, ...asked),
    bookings: (...asked) => bookings(way, ...asked),
    balance: async (...asked) => balance(way, ...asked),
  }
}
