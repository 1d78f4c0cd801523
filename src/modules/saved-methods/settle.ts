import type { DeclineReason, SavedMethod } from '../../core/networks/connector.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import type { SavingOutcome, SavedMethods, Settled } from '../../core/payments/saving/saved-methods.ts'
import { chargingAttempt, type SaveRequest, type Saving } from '../../core/payments/saving/saving.ts'
import type { MethodKeeping } from './keeping.ts'
import { dayOf, insertCharge, lockCharge, releaseOnDay, setOutcome, type ChargeRow } from './charge-store.ts'
import { listConsents } from './consent-store.ts'
import { findOwn } from './find-methods.ts'
import { presentMethod, shownMethod } from './present.ts'
import { failureOf, judgeDecline } from './retry-rules.ts'
import {
  endRow,
  forgiveTries,
  insertMethod,
  lockMethod,
  takeBackTry,
  waitUntil,
  type MethodRow,
} from './store.ts'
import { openToken, sealToken } from './tokens.ts'

// What payments asks of this module, in the commit of an outcome.

type Deps = Pick<MethodKeeping, 'db' | 'secrets'>

export function makeSavedMethods(deps: Deps): SavedMethods {
  return {
    settle: async (tx, outcome) => settle(deps, tx, outcome),
    tokenOf: async (merchantId, id) => openToken(deps, { merchantId, id }),
    async tokenAt(payment, accountId) {
      const method = (await findOwn(deps.db, payment)).find((each) => each.account_id === accountId)
      return method && openToken(deps, { merchantId: payment.merchant_id, id: method.id })
    },
  }
}

async function settle(deps: Deps, tx: Transaction, outcome: SavingOutcome): Promise<Settled> {
  const { saving, savedMethod, result, attempt } = outcome
  const isCharge = saving.charges !== undefined
  const isPresent = attempt.saved_method_id !== null && !(isCharge && attempt.attempt === chargingAttempt)
  if (isPresent && result !== 'charged') return settleRefusal(tx, outcome, attempt.saved_method_id, result)
  if (isCharge) return settleCharge(tx, outcome, saving)
  if (isPresent) return settlePresent(tx, outcome, attempt.saved_method_id)
  if (!saving.asked || !savedMethod || result !== 'charged') return { saving, events: [] }
  return keepMethod(deps, tx, outcome, saving.asked, savedMethod)
}

/** Nothing is kept without the evidence that the customer agreed. */
async function keepMethod(
  { secrets }: Deps,
  tx: Transaction,
  { payment, attempt, saving }: SavingOutcome,
  asked: SaveRequest,
  saved: SavedMethod,
): Promise<Settled> {
  const { merchant_id: merchantId, number, mode, currency } = payment
  const [consent] = await listConsents(tx, { merchantId, number })
  if (!consent) return { saving, events: [] }
  const id = `svm_${randomBase62(16)}`
  const method = await insertMethod(tx, {
    merchant_id: merchantId,
    id,
    mode,
    customer_ref: asked.customerRef,
    agreement: asked.agreement,
    limit_minor: asked.limitMinor === undefined ? null : BigInt(asked.limitMinor),
    limit_currency: currency,
    number,
    connector: attempt.connector,
    account_id: attempt.account_id,
    kind: saved.kind,
    brand: saved.brand ?? null,
    last4: saved.last4 ?? null,
    expires: saved.expires ?? null,
    token: sealToken(secrets, { merchantId, id }, saved.reference),
  })
  if (!method) return { saving, events: [] }
  const json = JSON.stringify(presentMethod(method, payment.tx_ref))
  return { saving: { ...saving, method: shownMethod(method) }, events: [{ event: 'method.saved', json }] }
}

async function settleCharge(tx: Transaction, outcome: SavingOutcome, saving: Saving): Promise<Settled> {
  const { payment, result } = outcome
  const { merchant_id: merchantId, number } = payment
  const key = { merchantId, id: saving.charges ?? '' }
  const method = await lockMethod(tx, key)
  const charge = await lockCharge(tx, { merchantId, number })
  if (!method || !charge) throw new Error('A charge has no saved method')
  if (result !== 'charged') return settleDecline(tx, outcome, { reason: result, method, charge })
  // The customer may have paid a waiting charge with another card: that forgives the saved one nothing.
  if (outcome.attempt.saved_method_id !== null) {
    await forgiveTries(tx, key)
    await setOutcome(tx, charge, 'succeeded')
  }
  const { failure: _, ...rest } = saving
  return { saving: { ...rest, method: shownMethod(method) }, events: [] }
}

async function settleDecline(
  tx: Transaction,
  { payment, saving, at }: SavingOutcome,
  { reason, method, charge }: { reason: DeclineReason; method: MethodRow; charge: ChargeRow },
): Promise<Settled> {
  const key = { merchantId: method.merchant_id, id: method.id }
  const failure = judgeDecline(reason, method.tries, at)
  await releaseOnDay(tx, charge, payment.mode)
  await setOutcome(tx, charge, failure.code)
  if (failure.code === 'network_silent') await takeBackTry(tx, key)
  if (failure.retryAfter !== undefined) await waitUntil(tx, key, new Date(failure.retryAfter))
  const ended =
    failure.code === 'method_ended' ? await endRow(tx, key, { by: 'network', forgetAt: at }) : undefined
  const shown = { ...saving, method: shownMethod(ended ?? method), failure }
  if (ended) {
    const json = JSON.stringify(presentMethod(ended))
    return { saving: shown, events: [{ event: 'method.ended', json }] }
  }
  if (failure.code !== 'needs_customer') return { saving: shown, events: [] }
  return {
    saving: shown,
    events: [{ event: 'payment.needs_customer', mailsCustomer: charge.mails_customer }],
  }
}

/** The customer paid with a saved method, on the page. It is listed with its charges and takes nothing of their limits. */
async function settlePresent(tx: Transaction, outcome: SavingOutcome, id: string): Promise<Settled> {
  const { payment, saving, at } = outcome
  const { merchant_id, number, currency, amount_minor } = payment
  const method = await lockMethod(tx, { merchantId: merchant_id, id })
  if (!method) throw new Error('An attempt has no saved method')
  await forgiveTries(tx, { merchantId: merchant_id, id })
  const charge = {
    merchant_id,
    number,
    method_id: id,
    currency,
    amount_minor,
    day: dayOf(at),
    mails_customer: false,
    reserved: null,
  }
  await insertCharge(tx, charge)
  await setOutcome(tx, { ...charge, outcome: null }, 'succeeded')
  return { saving: { ...saving, method: shownMethod(method) }, events: [] }
}

/** The customer is there and pays in another way: only a hard decline changes something, as without them. */
async function settleRefusal(
  tx: Transaction,
  { payment, saving, at }: SavingOutcome,
  id: string,
  reason: DeclineReason,
): Promise<Settled> {
  const key = { merchantId: payment.merchant_id, id }
  if (reason === 'network_silent') await takeBackTry(tx, key)
  const isHard = failureOf(reason) === 'method_ended'
  const ended = isHard ? await endRow(tx, key, { by: 'network', forgetAt: at }) : undefined
  if (!ended) return { saving, events: [] }
  return { saving, events: [{ event: 'method.ended', json: JSON.stringify(presentMethod(ended)) }] }
}
