import { askNetwork } from '../ask-network.ts'
import type { AttemptRow } from '../attempt-store.ts'
import { recordOutcome, resultOf, type PayResult } from '../record-outcome.ts'
import type { PaymentKey, PaymentRow } from '../../store.ts'
import type { HostedChoice } from '../start-attempt.ts'
import type { Paying } from '../paying.ts'
import { askHosted, openPage } from './ask-hosted.ts'
import { isLeft, withdrawPage } from './leave-page.ts'
import { offersFor } from './offers.ts'

// The customer presses a button. At most one page that can charge is open for a payment: the one that is there is used
// again where it is the same choice, and closed at the network before another is opened.

/** A customer who is led to a page again wants to have the time to pay on it. */
const usableMs = 5 * 60_000
/** Twice at most, while a person waits. */
const openLimitMs = 7_000

export async function chooseMethod(
  paying: Paying,
  key: PaymentKey,
  choice: HostedChoice,
  language: string,
): Promise<PayResult> {
  const { payment, lastAttempt } = (await paying.findStanding(key)) ?? {}
  if (payment?.state !== 'pending') return { kind: 'closed' }
  const offer = (await offersFor(paying, payment)).offers.find(
    ({ accountId, method }) => accountId === choice.accountId && method === choice.method,
  )
  if (!offer || (await paying.isSuspended(key.merchantId))) return { kind: 'unavailable' }
  const standing = lastAttempt && (await standingPage(paying, lastAttempt, choice))
  if (standing && !isLeft(standing)) return standing
  return startPage(paying, payment, { name: offer.connector, mode: payment.mode }, choice, language)
}

async function standingPage(
  paying: Paying,
  last: AttemptRow,
  choice: HostedChoice,
): Promise<PayResult | undefined> {
  if (!last.account_id || last.state !== 'action_required') return undefined
  return isSameAndUsable(last, choice, paying.now()) ? askForPage(paying, last) : withdrawPage(paying, last)
}

function isSameAndUsable(last: AttemptRow, choice: HostedChoice, now: Date): boolean {
  const endsMs = Date.parse(last.page_expires_at ?? last.started_at)
  const isSame = last.account_id === choice.accountId && last.method === choice.method
  return isSame && last.page_url !== null && endsMs - now.getTime() >= usableMs
}

/** Before the customer is led there again: it may have ended, or been paid in another tab. */
async function askForPage(paying: Paying, last: AttemptRow): Promise<PayResult> {
  const word = await askNetwork(paying.log, async (signal) => askHosted(paying, last, signal))
  // A network that can't be asked may still show its page, which is the one place that can't charge twice.
  if (word.kind === 'still_open' || word.kind === 'no_answer') return resultOf(last)
  return recordOutcome(paying, last, word)
}

async function startPage(
  paying: Paying,
  payment: PaymentRow,
  connector: { name: string; mode: PaymentRow['mode'] },
  choice: HostedChoice,
  language: string,
): Promise<PayResult> {
  const key = { merchantId: payment.merchant_id, number: payment.number }
  // English is what a payment is in that says nothing else: for most customers no row is written for their language.
  const newLanguage = language === (payment.language ?? 'en') ? null : language
  const started = await paying.startAttempt(key, connector, choice, newLanguage)
  if (started.kind !== 'started') return started
  const { attempt } = started
  // As it is now in the table.
  const asStarted = { ...payment, language }
  const open = async () =>
    askNetwork(paying.log, async (signal) => openPage(paying, attempt, asStarted, signal), openLimitMs)
  let word = await open()
  // Opening moves no money, so a lost answer is cheap: the same key again gives the same page.
  if (word.kind === 'no_answer') word = await open()
  // The URL of a page that may exist was never given out, so it can't be paid: another choice is allowed.
  if (word.kind === 'no_answer') word = { kind: 'not_made', reason: 'processing_error' }
  return recordOutcome(paying, attempt, word)
}
