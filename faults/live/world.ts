import type { Database } from '../../src/platform/database/database.ts'
import { fromStripe } from '../../src/networks/stripe/amounts.ts'
import { readCustomId } from '../../src/networks/paypal/custom-id.ts'
import { unitsOf, type PayPalBooks } from '../../test/support/networks/paypal-books.ts'
import { callBack, connect, type AccountIds } from '../../test/support/networks/live-house.ts'
import { keptOf } from '../../test/support/networks/paystack/books.ts'
import {
  signingSecretOf,
  signsWith,
  startNetworks,
  type Networks,
} from '../../test/support/networks/start-networks.ts'
import { testSecrets } from '../../test/support/secrets.ts'

// The networks that live payments are paid at: stand-ins of Stripe, GoCardless, Paystack and PayPal in the harness, which outlive
// every server that is killed, and what their customers were shown.

export const networkNames = ['stripe', 'gocardless', 'paystack', 'paypal'] as const
export type NetworkName = (typeof networkNames)[number]

export function standInsOf(networks: Networks) {
  return networkNames.map((name) => networks[name])
}

export type LivePayment = {
  readonly txRef: string
  readonly url: string
  readonly number: string
  readonly currency: 'GBP' | 'ZAR' | 'USD'
}

export type LiveWorld = {
  readonly networks: Networks
  readonly accountIds: AccountIds
  readonly payments: LivePayment[]
  /** Those whose customer was shown that it is paid. */
  readonly shownPaid: Set<LivePayment>
  /** The merchant's references of refunds that were acknowledged. */
  readonly refundsTold: Set<string>
  /** Answers that no fault excuses. */
  readonly wrong: string[]
  /** How often customers paid at a network so far. */
  paid: number
  /** The faults are over: what nobody took is sent again, as networks do for days. */
  sendAgain(): Promise<void>
  close(): Promise<void>
}

export type LiveNetworks = Pick<LiveWorld, 'networks' | 'close'> & {
  readonly settings: Readonly<Record<string, string>>
}

/** Before the first server: it is told where they are. */
export async function openLiveNetworks(): Promise<LiveNetworks> {
  const networks = await startNetworks()
  networks.paystack.refundsAre = 'processed'
  const settings = {
    STRIPE_URL: networks.stripe.url,
    GOCARDLESS_URL: networks.gocardless.url,
    PAYSTACK_URL: networks.paystack.url,
    PAYPAL_URL: networks.paypal.url,
  }
  return { networks, settings, close: async () => networks.close() }
}

export async function openLiveWorld(
  { networks, close }: LiveNetworks,
  db: Database,
  serverUrl: string,
  merchantIds: { readonly merchant: number; readonly stranger: number },
): Promise<LiveWorld> {
  const accountIds = await connect(db, testSecrets, merchantIds.merchant, networks)
  await connect(db, testSecrets, merchantIds.stranger, withSecrets(networks, strangersSecret))
  callBack(networks, serverUrl, merchantIds.merchant)
  return {
    networks,
    accountIds,
    payments: [],
    shownPaid: new Set(),
    refundsTold: new Set(),
    wrong: [],
    paid: 0,
    sendAgain: async () => sendAgain(networks),
    close,
  }
}

/** Of another merchant of the same Florin, who would speak for payments that are not theirs. */
export const strangersSecret = 'whsec_of_the_stranger'

function withSecrets(networks: Networks, secret: string): Networks {
  const accounts = networks.accounts.map((account) => ({
    ...account,
    // Paystack signs with the key itself, PayPal for the id of a webhook.
    credentials: { ...account.credentials, [signsWith[account.connector]]: secret },
  }))
  return { ...networks, accounts }
}

async function sendAgain(networks: Networks): Promise<void> {
  for (const network of networkNames) {
    const { callbacks } = networks[network]
    networks[network].calm()
    callbacks.manner = 'at_once'
    // A server that is away takes none of them: they are sent again below.
    await callbacks.release().catch(() => {})
    await callbacks.settled()
    for (const one of callbacks.sent.filter(({ status }) => status !== 200)) {
      one.status = await sendSigned(networks, network, one.url, one.signed.body)
    }
  }
}

/** Signed now, as networks do each time: a signature is good for minutes. Undefined when no answer came. */
export async function sendSigned(
  networks: Networks,
  network: NetworkName,
  url: string,
  body: string,
  secret = signingSecretOf(networks, network),
  at = new Date(),
): Promise<number | undefined> {
  const headers = signatureOf(networks, network, { body, secret, at })
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return undefined
  }
}

function signatureOf(
  { stripe, gocardless, paystack, paypal }: Networks,
  network: NetworkName,
  { body, secret, at }: { body: string; secret: string; at: Date },
): Record<string, string> {
  if (network === 'stripe') return { 'stripe-signature': stripe.sign(body, secret, at) }
  if (network === 'gocardless') return { 'webhook-signature': gocardless.sign(body, secret) }
  if (network === 'paystack') return { 'x-paystack-signature': paystack.sign(body, secret) }
  return paypal.sign(body, secret, `${at.toISOString().slice(0, 19)}Z`)
}

export type Charge = { readonly number: string; readonly amountMinor: bigint; readonly currency: string }

/** What all took and did not send back, by their own books. */
export function chargesOf({ stripe, gocardless, paystack, paypal }: Networks): Charge[] {
  const ofStripe = [...stripe.books.intents.values()].filter(
    (intent) => intent.amount_received > 0 && stripe.books.unrefunded(intent) > 0,
  )
  const ofGoCardless = [...gocardless.books.payments.values()].filter(
    ({ status, amount, amount_refunded }) =>
      (status === 'confirmed' || status === 'paid_out') && amount > amount_refunded,
  )
  const ofPaystack = [...paystack.books.transactions.values()].filter(
    ({ reference }) => keptOf(paystack.books, reference) > 0,
  )
  return [
    ...ofStripe.map(({ metadata, amount_received, currency }) => ({
      number: metadata['florin_payment'] ?? '',
      ...fromStripe(amount_received, currency),
    })),
    ...ofGoCardless.map(({ metadata, amount, currency }) => ({
      number: metadata['florin_payment'] ?? '',
      amountMinor: BigInt(amount),
      currency,
    })),
    ...ofPaystack.map(({ metadata, amount, currency }) => ({
      number: metadata['florin_payment'] ?? '',
      amountMinor: BigInt(amount),
      currency,
    })),
    ...chargesOfPayPal(paypal.books),
  ]
}

function chargesOfPayPal({ captures }: PayPalBooks): Charge[] {
  return [...captures.values()]
    .filter(({ status }) => status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED')
    .map(({ custom_id, amount }) => ({
      number: readCustomId(custom_id).paymentNumber ?? '',
      // Pounds and dollars: its units are ours.
      amountMinor: unitsOf(amount),
      currency: amount.currency_code,
    }))
}

export type SentBack = { readonly key: string; readonly amountMinor: bigint }

const undone = new Set([
  'failed',
  'canceled',
  'cancelled',
  'bounced',
  'funds_returned',
  'FAILED',
  'CANCELLED',
])

/** What all sent back, by their own books, with our key. */
export function refundsOf({ stripe, gocardless, paystack, paypal }: Networks): SentBack[] {
  const keyOf = (metadata: Readonly<Record<string, string>>): string => metadata['florin_key'] ?? ''
  const stand = ({ status }: { readonly status: string }): boolean => !undone.has(status)
  return [
    ...[...stripe.books.refunds.values()].filter(stand).map(({ metadata, amount, currency }) => ({
      key: keyOf(metadata),
      amountMinor: fromStripe(amount, currency).amountMinor,
    })),
    ...[...gocardless.books.refunds.values()]
      .filter(stand)
      .map(({ metadata, amount }) => ({ key: keyOf(metadata), amountMinor: BigInt(amount) })),
    ...[...paystack.books.refunds.values()].filter(stand).map(({ merchant_note, amount }) => ({
      key: merchant_note?.replace('florin ', '') ?? '',
      amountMinor: BigInt(amount),
    })),
    ...[...paypal.books.refunds.values()].filter(stand).map(({ custom_id, amount }) => ({
      key: readCustomId(custom_id).idempotencyKey ?? '',
      amountMinor: unitsOf(amount),
    })),
  ]
}
