import type { NetworkMood } from './network-moods.ts'

// The named points at which a server can be made to die or to stand still: after which function of which file. The
// server's own code knows nothing of them; fail-points.ts puts them in while a module is loaded.

export type Point = {
  readonly file: string
  /** The function after which it is reached. */
  readonly after?: string
  /** Or: the function that makes that function. */
  readonly made?: string
  /** Reached before that function does anything, not after. */
  readonly before?: boolean
  /** Counts as reached only when what the function gave has all of this in its JSON. */
  readonly having?: string | readonly string[]
  /** And only when its last argument has this in its JSON. */
  readonly given?: string
  /** Reached only when something is due: on a busy machine, up to the eighth time took five seconds a strike. */
  readonly rare?: boolean
  /** Reached only by what failed before: the receiver has to refuse. */
  readonly ofRetries?: boolean
  /** Reached only when the network pays out. */
  readonly ofPayouts?: boolean
  /** Reached only where live payments are made, at the stand-ins of networks. */
  readonly live?: boolean
  /** live/strikes.test.ts strikes it without a process: `npm run test:long` kills at another network's point like it. */
  readonly inStrikes?: boolean
}

export const points = {
  'a create is committed': { file: 'core/payments/create-store.ts', after: 'insertPayments' },
  'an attempt is committed': {
    file: 'core/payments/attempts/start-attempt.ts',
    made: 'makeStartAttempt',
    having: '"kind":"started"',
  },
  'the network accepted': { file: 'core/test-network/store.ts', after: 'insertCharges' },
  // A page of the test bank: the customer's browser has not heard of it, and our tables have not.
  'a page is open at the network': { file: 'core/test-network/bank/store.ts', after: 'insertPage' },
  'the customer paid at the network': {
    file: 'core/test-network/bank/store.ts',
    after: 'decidePage',
    having: 'true',
  },
  'a refund is written down': { file: 'modules/refunds/store.ts', after: 'insertRefund', rare: true },
  // Committed, with the key that the network gets.
  'a refund is about to be sent': {
    file: 'modules/refunds/due-store.ts',
    after: 'beginSending',
    having: '"sent_at":"',
    rare: true,
  },
  'the network sent money back': {
    file: 'core/test-network/refund-store.ts',
    after: 'insertCardRefund',
    rare: true,
  },
  'the end of a refund is about to be committed': {
    file: 'modules/refunds/apply-status.ts',
    after: 'movePayment',
    rare: true,
  },
  'a result is about to be committed': {
    file: 'core/payments/transition.ts',
    after: 'transitionAll',
    having: '"moved":true',
  },
  // Its IPN was claimed by that commit, and nobody has begun to carry it.
  'a result is committed': { file: 'core/payments/attempts/apply-outcome.ts', made: 'makeApplyOutcome' },
  'attempts are claimed': {
    file: 'core/payments/attempts/due-store.ts',
    after: 'claimAttemptsToCheck',
    having: '"attempt":',
    rare: true,
  },
  'deliveries are claimed': {
    file: 'core/notifications/store.ts',
    after: 'claim',
    having: '"kind":"ipn"',
    rare: true,
    ofRetries: true,
  },
  'an IPN was answered': {
    file: 'core/notifications/ipn/send-ipn.ts',
    after: 'sendIpn',
    having: '"verdict":"delivered"',
  },
  'a mail was accepted': {
    file: 'core/notifications/mail/send-mail.ts',
    after: 'sendMail',
    having: '"verdict":"delivered"',
    // Mail of test mode goes to the mailbox: nobody accepts it.
    given: '"mode":"live"',
  },
  'a payout is about to be committed': {
    file: 'modules/payouts/payout-store.ts',
    after: 'insertPayout',
    rare: true,
    ofPayouts: true,
  },
  'a payout is committed without its lines': {
    file: 'modules/payouts/ask/record-payout.ts',
    after: 'recordPayout',
    having: '"lines":"waiting"',
    rare: true,
    ofPayouts: true,
  },
  'lines of a payout are about to be committed': {
    file: 'modules/payouts/line-store.ts',
    after: 'writeLines',
    rare: true,
    ofPayouts: true,
  },
  'ledger entries are about to be committed': {
    file: 'modules/payouts/ledger/ledger-store.ts',
    after: 'addEntries',
    rare: true,
    ofPayouts: true,
  },
  'the lines of a payout are about to be added up': {
    file: 'modules/payouts/ask/record-payout.ts',
    after: 'completeLines',
    before: true,
    rare: true,
    ofPayouts: true,
  },
  // Its notification and the move in the ledger are one commit.
  'the arrival of a payout is about to be committed': {
    file: 'modules/payouts/notify-merchant.ts',
    after: 'notifyOfPayout',
    rare: true,
    ofPayouts: true,
  },
  // Neither our tables nor the customer have heard of it.
  'a page is open at Stripe': {
    file: 'networks/stripe/orders.ts',
    after: 'open',
    having: '"kind":"open"',
    live: true,
  },
  'a page is open at GoCardless': {
    file: 'networks/gocardless/orders.ts',
    after: 'open',
    having: '"kind":"open"',
    live: true,
  },
  'a page is open at Paystack': {
    file: 'networks/paystack/orders.ts',
    after: 'open',
    having: '"kind":"open"',
    live: true,
    inStrikes: true,
  },
  'a page is open at PayPal': {
    file: 'networks/paypal/orders.ts',
    after: 'open',
    having: '"kind":"open"',
    live: true,
    inStrikes: true,
  },
  // The approval is committed, and PayPal has not heard that it may take the money.
  'PayPal is about to be told to capture': {
    file: 'networks/paypal/orders.ts',
    after: 'capture',
    before: true,
    live: true,
    inStrikes: true,
  },
  // It took the money, and our tables have not heard of it.
  'PayPal has captured': {
    file: 'networks/paypal/orders.ts',
    after: 'capture',
    having: '"kind":"charged"',
    live: true,
  },
  'a callback is about to be stored': {
    file: 'core/callbacks/receive.ts',
    after: 'storeHints',
    before: true,
    live: true,
  },
  // The network has not heard that it was.
  'a callback is stored': { file: 'core/callbacks/receive.ts', after: 'storeHints', live: true },
  'callbacks are claimed': {
    file: 'core/callbacks/event-store.ts',
    after: 'claimEvents',
    having: '"event_id":',
    live: true,
  },
  'Stripe says that it charged': {
    file: 'networks/stripe/orders.ts',
    after: 'fetch',
    having: '"kind":"charged"',
    live: true,
  },
  'GoCardless says that it charged': {
    file: 'networks/gocardless/orders.ts',
    after: 'fetch',
    having: '"kind":"charged"',
    live: true,
  },
  'Paystack says that it charged': {
    file: 'networks/paystack/orders.ts',
    after: 'fetch',
    having: '"kind":"charged"',
    live: true,
    inStrikes: true,
  },
  // It reviewed the capture for a while.
  'PayPal says that it charged': {
    file: 'networks/paypal/orders.ts',
    after: 'fetch',
    having: '"kind":"charged"',
    live: true,
    inStrikes: true,
  },
  // Our tables have not heard of it. Paystack knows no key by which a second one would be refused.
  'Paystack sent money back': {
    file: 'networks/paystack/refunds.ts',
    after: 'refund',
    having: '"kind":"succeeded"',
    rare: true,
    live: true,
  },
  'PayPal sent money back': {
    file: 'networks/paypal/refunds.ts',
    after: 'refund',
    having: '"kind":"succeeded"',
    rare: true,
    live: true,
    inStrikes: true,
  },
  'a live result is about to be committed': {
    file: 'core/payments/transition.ts',
    after: 'transitionAll',
    having: ['"moved":true', '"mode":"live"'],
    live: true,
  },
} as const satisfies Record<string, Point>

export type PointName = keyof typeof points

/** What the harness says to a server that was started with fail-points.ts, over the channel between processes. */
export type Order =
  | {
      readonly kind: 'arm'
      readonly point: PointName
      /** The how-manieth time it is reached, from 1. */
      readonly hit: number
      readonly signal: 'SIGKILL' | 'SIGSTOP'
    }
  /** From now on the server's clock is this much ahead of the machine's. */
  | { readonly kind: 'clock'; readonly aheadMs: number }
  /** From now on the network brings its answers home like this. */
  | { readonly kind: 'network'; readonly mood: NetworkMood; readonly seed: number }
  /** Node writes down what it compiled when a process ends, and one that is killed never does. */
  | { readonly kind: 'keep compiled code' }

/** What such a server says back: an answer was brought home as the mood wants it. */
export type Played = 'played'
