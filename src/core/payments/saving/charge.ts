import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../../platform/database/database.ts'
import type { PaymentRequest } from '../api/read-payment.ts'
import { askNetwork } from '../attempts/ask-network.ts'
import { wordOf } from '../attempts/hosted/ask-hosted.ts'
import { accountOf } from '../attempts/hosted/account-of.ts'
import { hostedOrderKey } from '../attempts/hosted/hosted-order.ts'
import { firstCheckAt } from '../attempts/check-schedule.ts'
import { insertAttempts, type BegunAttempt } from '../attempts/insert-attempts-store.ts'
import type { NetworkOutcome } from '../attempts/network-word.ts'
import { leavePage } from '../attempts/hosted/leave-page.ts'
import type { Paying } from '../attempts/paying.ts'
import type { Started } from '../attempts/start-attempt.ts'
import { formConnectorOf, orderKeyOf, recordOutcome, type PayResult } from '../attempts/record-outcome.ts'
import { insertPayments } from '../create-store.ts'
import { newPayment, type Payee } from '../create-payment.ts'
import type { PaymentKey, PaymentRow } from '../store.ts'
import { columnsOf, methodOf, type ChargedMethod } from './charged-method.ts'

// The door of payments for charges without the customer. A charge is a payment with one attempt, committed together
// before the network is called; its outcome goes through apply-outcome like all others, and a lost one is asked about
// by the same job.

export type { BegunAttempt, ChargedMethod }

/** In the caller's commit. Undefined if the tx_ref is taken: nothing was written then. */
export async function beginCharge(
  { now }: Pick<Paying, 'now'>,
  tx: Transaction,
  payee: Payee,
  request: PaymentRequest,
  method: ChargedMethod,
): Promise<BegunAttempt | undefined> {
  const payment = newPayment(payee, request, { type: 'API' })
  const created = await insertPayments(tx, payee.merchant.id, [payment])
  if (!created.has(payment.number)) return undefined
  const at = now()
  const [attempt] = await insertAttempts(tx, payee.merchant.id, [
    {
      merchant_id: payee.merchant.id,
      number: payment.number,
      mode: payee.mode,
      connector: method.connector,
      idempotency_key: randomUUID(),
      ...columnsOf(method),
      language: null,
      address_hash: null,
      card_fingerprint: null,
      is_judged: true,
      only_as: null,
      started_at: at,
      next_check_at: firstCheckAt('started', at),
    },
  ])
  if (!attempt) throw new Error('A charge was created and could not be begun')
  return attempt
}

/**
 * The customer is on the page of this payment and pays with a saved method. In a commit of its own, like every attempt of
 * theirs; a network's page that was left open is closed first.
 */
export async function startSaved(
  paying: Paying,
  payment: PaymentKey & Pick<PaymentRow, 'mode'>,
  method: ChargedMethod,
  language: string | undefined,
): Promise<Started> {
  const connector = { name: method.connector, mode: payment.mode }
  const start = async (): Promise<Started> => paying.startAttempt(payment, connector, method, language)
  const started = await start()
  return started.kind === 'in_flight' && (await leavePage(paying, payment)) ? start() : started
}

export type ChargeOrder = {
  readonly attempt: BegunAttempt
  readonly mode: Payee['mode']
  readonly token: string
  readonly email: string
  readonly description: string
  readonly txRef: string
  /** The customer is on our page and pressed the button. */
  readonly isPresent?: true | undefined
}

/** Outside any transaction, once: an answer that is lost is asked about, and the order is never sent again. */
export async function sendCharge(paying: Paying, order: ChargeOrder): Promise<PayResult> {
  const word = await askNetwork(paying.log, async (signal) => chargeAtNetwork(paying, order, signal))
  return recordOutcome(paying, order.attempt, word)
}

async function chargeAtNetwork(
  paying: Paying,
  { attempt, ...order }: ChargeOrder,
  signal: AbortSignal,
): Promise<NetworkOutcome> {
  const { amount_minor: amountMinor, currency, merchant_id: merchantId } = attempt
  if (attempt.account_id === null) {
    const connector = formConnectorOf(paying, attempt)
    if (!connector.chargeSaved) throw new Error(`${connector.name} charges no saved methods`)
    const { token, isPresent } = order
    const asked = { ...orderKeyOf(attempt), amountMinor, currency, token, isPresent }
    return connector.chargeSaved(asked, signal)
  }
  const { connector, account } = await accountOf(paying, attempt)
  if (!connector.chargeSaved) throw new Error(`${connector.name} charges no saved methods`)
  const statementDescriptor = await paying.statementDescriptor?.(merchantId)
  const asked = { ...hostedOrderKey(attempt), ...order, amountMinor, currency, statementDescriptor }
  const status = await connector.chargeSaved(account, asked, signal)
  const isOdd = status.kind === 'open' || status.kind === 'not_found' || status.kind === 'approved'
  return isOdd ? { kind: 'no_answer' } : wordOf(status)
}

/** Whether the method's network and account are still there. */
export async function canCharge(paying: Paying, merchantId: number, method: ChargedMethod): Promise<boolean> {
  const connector = paying.connectors.find(({ name }) => name === method.connector)
  if (!connector?.chargeSaved) return false
  if (connector.kind === 'form' || connector.credentials.length === 0) return true
  return (await paying.accounts.byId(merchantId, method.accountId ?? ''))?.connector === connector.name
}

/** Whether its network takes this amount. */
export function takesAmount(
  { connectors }: Pick<Paying, 'connectors'>,
  method: ChargedMethod,
  { amount_minor: amount, currency }: Pick<PaymentRow, 'amount_minor' | 'currency'>,
): boolean {
  const connector = connectors.find(({ name }) => name === method.connector)
  if (connector?.kind !== 'hosted') return connector !== undefined
  if (!(connector.saves?.(currency) ?? []).includes(methodOf(method))) return false
  const { least, most, step = 1n } = connector.limits(currency, methodOf(method))
  return amount >= least && amount <= most && amount % step === 0n
}

/** Ends a method at its network; throws if there was no answer. */
export async function forgetAtNetwork(
  paying: Paying,
  merchantId: number,
  method: ChargedMethod,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const connector = paying.connectors.find(({ name }) => name === method.connector)
  if (connector?.kind === 'form') return connector.forget?.({ merchantId, token }, signal)
  const of = { merchant_id: merchantId, connector: method.connector, account_id: method.accountId }
  const reached = await accountOf(paying, of)
  await reached.connector.forget?.(reached.account, token, signal)
}
