import { setTimeout as pause } from 'node:timers/promises'
import { callApi, type Api } from '../reach/call-api.ts'
import { cancel, pay, type Payment } from './customer.ts'

// How each event comes about, with the cards of the test network.

/** `status` is the payment's own, or the payout's. */
type Brought = { readonly status: string; readonly isThere: boolean }

export type Way = {
  /** For a user who would wonder why nothing happens. */
  readonly patience?: string
  /** The only one that brings the event about. */
  readonly amount?: string
  bring(api: Api, payment: Payment): Promise<Brought>
}

type Shown = {
  readonly status: string
  readonly refunds?: readonly { readonly status: string }[]
  readonly dispute?: { readonly status: string }
}

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  refundFails: '4000000000005126',
  disputedAndWon: '4000000000002685',
  disputedAndLost: '4000000000000259',
  disputedAndOpen: '4000000000004400',
} as const
const declinesUntilFailed = 10

export const ways: Readonly<Record<string, Way>> = {
  'payment.success': { bring: async (api, payment) => payWith(api, payment, cards.good) },
  'payment.failed': {
    async bring(api, payment) {
      for (let declines = 0; declines < declinesUntilFailed; declines += 1) await pay(payment, cards.declined)
      return until(api, payment, isEnded, ({ status }) => status === 'failed')
    },
  },
  'payment.cancelled': {
    async bring(api, payment) {
      await cancel(payment)
      return until(api, payment, isEnded, ({ status }) => status === 'cancelled')
    },
  },
  'refund.success': refund(cards.good, 'success'),
  'payment.refunded': refund(cards.good, 'success'),
  'refund.failed': refund(cards.refundFails, 'failed'),
  'dispute.opened': disputed(cards.disputedAndOpen, 'evidence_due'),
  'payment.reversed': disputed(cards.disputedAndOpen, 'evidence_due'),
  'dispute.won': disputed(cards.disputedAndWon, 'won'),
  'dispute.lost': disputed(cards.disputedAndLost, 'lost'),
  'payout.arrived': paidOut('arrived'),
  // Less fees that is 10.13, and the bank refuses what ends in 13.
  'payout.failed': { ...paidOut('failed'), amount: '10.55' },
}

type ShownPayout = { readonly id: string; readonly status: string; readonly currency: string }

function paidOut(end: 'arrived' | 'failed'): Way {
  return {
    patience: 'The payout is on its way after a minute and at the bank after two.',
    async bring(api, payment) {
      // What is there already would change the amount.
      await callApi(api, '/api/payouts', {})
      const paid = await payWith(api, payment, cards.good)
      if (!paid.isThere) return paid
      const made = (await callApi(api, '/api/payouts', {})) as readonly ShownPayout[]
      const payout = made.find(({ currency }) => currency === 'GBP')
      return payout ? untilDecided(api, payout, end) : { status: 'not paid out', isThere: false }
    },
  }
}

async function untilDecided(api: Api, { id }: ShownPayout, end: 'arrived' | 'failed'): Promise<Brought> {
  for (let tries = 0; ; tries += 1) {
    const { status } = (await callApi(api, `/api/payouts/${id}`)) as ShownPayout
    if (status === 'arrived' || status === 'failed' || tries === payoutTries)
      return { status, isThere: status === end }
    await pause(payoutPauseMs)
  }
}

/** Four minutes: two for the payout, and half a minute between two looks of the worker. */
const payoutTries = 240
const payoutPauseMs = 1_000

export async function payWith(api: Api, payment: Payment, card: string): Promise<Brought> {
  await pay(payment, card)
  return until(api, payment, isEnded, ({ status }) => status === 'success')
}

function refund(card: string, end: 'success' | 'failed'): Way {
  const isDecided = ({ refunds }: Shown): boolean =>
    refunds?.some(({ status }) => status === 'success' || status === 'failed') ?? false
  return {
    async bring(api, payment) {
      const paid = await payWith(api, payment, card)
      if (!paid.isThere) return paid
      await callApi(api, `${pathOf(payment)}/refund`, { refund_ref: payment.txRef })
      return until(
        api,
        payment,
        isDecided,
        ({ refunds }) => refunds?.some(({ status }) => status === end) ?? false,
      )
    },
  }
}

function disputed(card: string, status: 'evidence_due' | 'won' | 'lost'): Way {
  const isThere = ({ dispute }: Shown): boolean => dispute?.status === status
  return {
    patience:
      status === 'evidence_due'
        ? 'The dispute opens 5 seconds after the payment.'
        : 'The dispute opens after 5 seconds and is decided a minute later.',
    async bring(api, payment) {
      const paid = await payWith(api, payment, card)
      return paid.isThere ? until(api, payment, isThere, isThere) : paid
    },
  }
}

const isEnded = ({ status }: Shown): boolean => status !== 'pending'

/** Longer than the minute in which a dispute is decided. */
const waitTries = 400
const waitPauseMs = 250

async function until(
  api: Api,
  payment: Payment,
  isOver: (shown: Shown) => boolean,
  isThere: (shown: Shown) => boolean,
): Promise<Brought> {
  for (let tries = 0; ; tries += 1) {
    const shown = (await callApi(api, pathOf(payment))) as Shown
    if (isOver(shown) || tries === waitTries) return { status: shown.status, isThere: isThere(shown) }
    await pause(waitPauseMs)
  }
}

function pathOf({ txRef }: Payment): string {
  return `/api/transaction/${encodeURIComponent(txRef)}`
}
