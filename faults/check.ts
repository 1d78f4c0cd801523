import { existsSync, readFileSync } from 'node:fs'
import { cards } from './customer.ts'
import { heardByForeignKey } from './foreign-key.ts'
import type { LoadEntry } from './journal.ts'
import { readJournal } from './journal.ts'
import { nextAttemptState, nextPaymentState } from '../src/core/payments/state-machine.ts'
import type {
  AttemptEvent,
  AttemptState,
  PaymentEvent,
  PaymentState,
} from '../src/core/payments/state-machine.ts'
import { countDueDeliveries, endsAreTold, signaturesVerify } from './check-notifications.ts'
import {
  countLiveInFlight,
  livePaidAsOwed,
  liveSuccessMeansCharged,
  liveTenantsStayApart,
  oneLiveCharge,
} from './live/check.ts'
import { liveRefundedOnce } from './live/check-refunds.ts'
import { answersAreRight, nothingMeansNothing } from './check-answers.ts'
import { declinesAreTheNetworks } from './check-declines.ts'
import { payoutsAddUp } from './check-payouts.ts'
import { countOpenRefunds, refundedOnce } from './check-refunds.ts'
import { ask, type Witness } from './stage.ts'

// The promises, each a function that returns every case in which it was broken. They read the witnesses' journals and
// the network's books, and compare our tables with them.

export type Broken = { readonly promise: PromiseName; readonly what: string }

export type PromiseName =
  | `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 14 | 15 | 16 | 20}`
  | 'answers'

/** `at`: when everything was to have settled. */
type Check = (stage: Witness, at: Date) => Promise<string[]>

/** I1: every acknowledged create exists, with the checkout_url that was answered. */
export const createsExist: Check = async (stage) => {
  const rows = await ask<{ tx_ref: string; digits: string }>(
    stage.databaseUrl,
    `select tx_ref, merchant_id || number as digits from payments where merchant_id = $1 and mode = 'test'`,
    [stage.merchant.id],
  )
  const digitsOf = new Map(rows.map((row) => [row.tx_ref, row.digits]))
  return entries(stage)
    .filter((entry) => entry.op === 'create' || entry.op === 'replay')
    .filter(({ txRef, url }) => digitsOf.get(txRef) !== url.split('/').at(-1))
    .map(
      ({ txRef, url, op }) => `${txRef}: ${op} answered ${url}, there is ${digitsOf.get(txRef) ?? 'nothing'}`,
    )
}

/** I2: at most one payment per merchant, mode and tx_ref. */
export const onePaymentPerReference: Check = async (stage) => {
  const rows = await ask<{ tx_ref: string; count: number }>(
    stage.databaseUrl,
    `select tx_ref, count(*)::integer as count from payments group by merchant_id, mode, tx_ref having count(*) > 1`,
  )
  return rows.map((row) => `${row.tx_ref}: ${row.count} payments`)
}

/** What both networks took and did not send back by itself, by their own books. What a merchant gave back was taken. */
const moneyTaken = `select merchant_id, payment_number from test_network.charges where outcome = 'charged'
  union all
  select merchant_id, payment_number from test_network.pages where state = 'paid' and amount_minor > (
    select coalesce(sum(refunds.amount_minor), 0) from test_network.refunds
    where refunds.merchant_id = pages.merchant_id and page_reference = pages.reference
      and refunds.idempotency_key like 'surplus-%')`

/** I3: at most one charge per payment, counted by the network's own books. */
export const oneChargePerPayment: Check = async (stage) => {
  const rows = await ask<{ payment_number: string; count: number }>(
    stage.databaseUrl,
    `select payment_number, count(*)::integer as count from (${moneyTaken}) as taken
     group by merchant_id, payment_number having count(*) > 1`,
  )
  return rows.map((row) => `${row.payment_number}: charged ${row.count} times`)
}

/** I4: a payment is success if and only if the network charged it; and who was shown "paid" has paid. */
export const successMeansCharged: Check = async (stage) => {
  const rows = await ask<{ tx_ref: string; state: string; charged: boolean }>(
    stage.databaseUrl,
    `select tx_ref, state, charged from payments cross join lateral (
       select exists (select from (${moneyTaken}) as taken where taken.merchant_id = payments.merchant_id
         and taken.payment_number = payments.number) as charged) as books
     where merchant_id = $1 and mode = 'test'`,
    [stage.merchant.id],
  )
  const byRef = new Map(rows.map((row) => [row.tx_ref, row]))
  const apart = rows
    .filter(({ state, charged }) => isPaid(state) !== charged)
    .map(
      ({ tx_ref: txRef, state, charged }) =>
        `${txRef}: ${state}, and the network ${charged ? 'has' : 'has not'} charged`,
    )
  const shown = entries(stage)
    .filter((entry) => entry.op === 'paid')
    .filter(({ txRef }) => !isPaid(byRef.get(txRef)?.state ?? ''))
    .map(
      ({ txRef }) => `${txRef}: the customer was shown that it is paid, and it is ${byRef.get(txRef)?.state}`,
    )
  return [...apart, ...shown]
}

/** I5: no state moves backward, in the history, in the attempts, or as the merchant saw it. */
export const nothingMovesBackward: Check = async (stage) => {
  const rows = await ask<HistoryRow>(
    stage.databaseUrl,
    `select merchant_id || number as digits, event, from_state, to_state, attempt from payment_history order by id`,
  )
  const states = new Map<string, string>()
  const broken: string[] = []
  for (const row of rows) {
    const name = `${row.digits} ${row.attempt ?? 'payment'}`
    const before = states.get(name) ?? (row.attempt === null ? 'pending' : 'started')
    if (before !== row.from_state || !isEdge(row)) {
      broken.push(`${name}: ${row.event} from ${row.from_state} to ${row.to_state} while ${before}`)
    }
    states.set(name, row.to_state)
  }
  return [...broken, ...seenBackward(entries(stage))]
}

type HistoryRow = {
  readonly digits: string
  readonly event: string
  readonly from_state: string
  readonly to_state: string
  readonly attempt: number | null
}

function isEdge({ event, from_state: from, to_state: to, attempt }: HistoryRow): boolean {
  return attempt === null
    ? nextPaymentState(from as PaymentState, event as PaymentEvent) === to
    : nextAttemptState(from as AttemptState, event as AttemptEvent) === to
}

const rank: Readonly<Record<string, number>> = {
  pending: 0,
  failed: 1,
  cancelled: 1,
  expired: 1,
  success: 2,
  refunded: 3,
  reversed: 3,
}

type SeenEntry = Extract<LoadEntry, { op: 'seen' }>

/** Who asked after another had his answer must not hear an older state. */
function seenBackward(all: readonly LoadEntry[]): string[] {
  const last = new Map<string, SeenEntry>()
  const broken: string[] = []
  for (const entry of all) {
    if (entry.op !== 'seen') continue
    const before = last.get(entry.txRef)
    if (before && before.at <= entry.asked && (rank[entry.status] ?? 0) < (rank[before.status] ?? 0)) {
      broken.push(`${entry.txRef}: seen as ${before.status}, later as ${entry.status}`)
    }
    if (!before || (rank[entry.status] ?? 0) >= (rank[before.status] ?? 0)) last.set(entry.txRef, entry)
  }
  return broken
}

/** I8: nothing of test mode is reachable with a live key, nor of one merchant by another. */
export const tenantsStayApart: Check = async (stage) => {
  const { url } = stage.server()
  const keys = [stage.merchant.liveKey, stage.stranger.testKey, stage.stranger.liveKey]
  const created = entries(stage).filter((entry) => entry.op === 'create')
  const waiting = spread(created, tenantChecksMax).flatMap(({ txRef }) => keys.map((key) => ({ txRef, key })))
  const broken: string[] = []
  async function askAll(): Promise<void> {
    for (let one = waiting.pop(); one; one = waiting.pop())
      broken.push(...(await heardByForeignKey(url, one.txRef, one.key)))
  }
  await Promise.all(Array.from({ length: tenantChecksAtOnce }, askAll))
  return broken
}

const tenantChecksMax = 200
const tenantChecksAtOnce = 4

/** Every one, or as many as are wanted in equal steps from the first to the last. */
function spread<T>(all: readonly T[], max: number): T[] {
  if (all.length <= max) return [...all]
  const step = (all.length - 1) / (max - 1)
  return Array.from({ length: max }, (_, index) => all[Math.round(index * step)] as T)
}

/** I9: no key, card number, password or customer's address in what the servers printed while everything failed. */
export const nothingLeaks: Check = async (stage) => {
  const secrets = [
    stage.merchant.testKey,
    stage.merchant.liveKey,
    ...Object.values(cards),
    new URL(stage.databaseUrl).password,
    'ada@example.com',
  ].filter((secret) => secret !== '')
  const printed = [stage.logFile, `${stage.logFile}.worker`]
    .filter(existsSync)
    .map((path) => readFileSync(path, 'utf8'))
  return secrets
    .filter((secret) => printed.some((text) => text.includes(secret)))
    .map((secret) => `${secret.slice(0, 8)}… is in a log`)
}

/**
 * I10: nothing stays in flight. Asked when the time for settling is over, about that moment: on a machine that stood still
 * since, a retry that nobody had to make yet would count as forgotten.
 */
export const nothingIsStuck: Check = async (stage, at) => {
  const rows = await ask<{ digits: string; attempt: number; state: string }>(stage.databaseUrl, inFlight)
  const due = await countDueDeliveries(stage, at)
  const live = await countLiveInFlight(stage, at)
  const refunds = await countOpenRefunds(stage)
  return [
    ...(refunds > 0 ? [`${refunds} refunds are neither succeeded nor failed`] : []),
    ...rows.map((row) => `${row.digits} attempt ${row.attempt} is still ${row.state}`),
    ...(due > 0 ? [`${due} deliveries are due and nobody carries them`] : []),
    ...(live > 0 ? [`${live} live payments or callbacks are in flight`] : []),
  ]
}

// A customer who has not answered the 3-D Secure page holds nothing up: that ends by itself after a quarter of an hour.
// Nor does one who is on the bank's page, until something was decided there.
const inFlight = `select merchant_id || number as digits, attempt, state from attempts
  where state in ('started', 'submitted', 'unknown', 'held', 'surplus')
    or (state = 'action_required' and exists (
      select from test_network.pages where pages.merchant_id = attempts.merchant_id
        and pages.idempotency_key = attempts.idempotency_key and pages.state in ('paid', 'refused')))`

export async function countInFlight(stage: Witness, at: Date): Promise<number> {
  const here = (await ask(stage.databaseUrl, inFlight)).length + (await countDueDeliveries(stage, at))
  return here + (await countOpenRefunds(stage)) + (await countLiveInFlight(stage, at))
}

/** I12: what was paid on a network's page was paid as owed, by that network's own books. */
export const paidAsOwed: Check = async (stage) => {
  const rows = await ask<{ digits: string }>(
    stage.databaseUrl,
    `select attempts.merchant_id || attempts.number as digits from attempts
     join payments on payments.merchant_id = attempts.merchant_id and payments.number = attempts.number
     left join test_network.pages on pages.merchant_id = attempts.merchant_id
       and pages.idempotency_key = attempts.idempotency_key and pages.state = 'paid'
     where attempts.state = 'succeeded' and attempts.account_id is not null and payments.mode = 'test'
       and (pages.amount_minor, pages.currency, attempts.charged_minor, attempts.charged_currency)
         is distinct from (payments.amount_minor, payments.currency, payments.amount_minor, payments.currency)`,
  )
  return rows.map(({ digits }) => `${digits}: is paid, and the network says otherwise`)
}

const checks: readonly (readonly [PromiseName, Check])[] = [
  ['I1', createsExist],
  ['I2', onePaymentPerReference],
  ['I3', oneChargePerPayment],
  ['I3', oneLiveCharge],
  ['I4', successMeansCharged],
  ['I4', liveSuccessMeansCharged],
  ['I5', nothingMovesBackward],
  ['I6', endsAreTold],
  ['I7', signaturesVerify],
  ['I8', tenantsStayApart],
  ['I8', liveTenantsStayApart],
  ['I9', nothingLeaks],
  ['I10', nothingIsStuck],
  ['I11', refundedOnce],
  ['I11', liveRefundedOnce],
  ['I12', paidAsOwed],
  ['I12', livePaidAsOwed],
  ['I15', nothingMeansNothing],
  ['I16', payoutsAddUp],
  ['I20', declinesAreTheNetworks],
  ['answers', answersAreRight],
]

export async function checkPromises(stage: Witness): Promise<Broken[]> {
  return checkPromisesAsOf(stage, new Date())
}

export async function checkPromisesAsOf(stage: Witness, at: Date): Promise<Broken[]> {
  const broken: Broken[] = []
  for (const [promise, check] of checks) {
    for (const what of await check(stage, at)) broken.push({ promise, what })
  }
  return broken
}

function entries(stage: Witness): LoadEntry[] {
  return stage.journals.flatMap((path) => readJournal<LoadEntry>(path))
}

function isPaid(state: string): boolean {
  return state === 'success' || state === 'refunded' || state === 'reversed'
}
