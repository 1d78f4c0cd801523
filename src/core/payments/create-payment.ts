import { createHash } from 'node:crypto'
import {
  makeMerchantBatch,
  type MerchantBatch,
  type MerchantBatchOptions,
} from '../../platform/database/batch.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { randomDigits, randomText } from '../../platform/database/random-id.ts'
import { DatabaseUnavailable } from '../../platform/errors/database-unavailable.ts'
import { brokenRule, Refusal, type Existing } from '../../platform/errors/refusals.ts'
import type { Caller } from '../merchants/authenticate.ts'
import type { Dialect } from '../merchants/key-format.ts'
import { fixedFeeOf } from '../merchants/taken-currencies.ts'
import { feeOf } from '../../platform/money/money.ts'
import { findProject } from '../projects/find-project.ts'
import { checkoutUrl } from './present.ts'
import { publicStatus } from './state-machine.ts'
import type { PaymentRequest } from './api/read-payment.ts'
import { findByTxRef, type PaymentRow, type TxRefKey } from './store.ts'
import {
  findByIdempotencyKey,
  forgetIdempotencyKey,
  insertPayments,
  type IdempotencyKey,
  type IdempotentRow,
  type NewPayment,
} from './create-store.ts'

// Creates of a merchant that arrive together share one statement and one commit. The number is drawn before the insert, so a
// create whose answer was lost can be tried again without ever making a second payment: the row that is there is
// ours exactly when it has our number.

export type CreatePayment = (payee: Payee, request: PaymentRequest, origin: Origin) => Promise<PaymentLink>

/** The merchant: of the calling key, or of a link. */
export type Payee = Pick<Caller, 'merchant' | 'mode'> & { readonly dialect?: Dialect }

/** A repeat is the first answer to an Idempotency-Key, given again. */
export type PaymentLink = { readonly url: string; readonly isRepeat: boolean }

export type Origin = {
  readonly type: 'API' | 'Form' | 'Link'
  readonly idempotencyKey?: string
  readonly bodyText?: string
}

const batchSizeMax = 200
const batchesInFlight = 2
// Commits that wait for the disk at the same time share its flush. Of 2, 4, 8 and 16 more was faster for creates, and dearer
// for whole payments (docs/decisions/0013-one-merchant-per-statement.md).
const batchesInAll = 8
const numberLength = 24

/** Returns a function that creates a payment and gives its link. */
export function makeCreatePayment(db: Database, baseUrl: string): CreatePayment {
  const insert = makeMerchantBatch<NewPayment, boolean>(
    together(db, (merchantId, payments, tx) => insertAll(tx ?? db, merchantId, payments)),
  )
  // A crowd of equal creates shares one look-up of the conflict; one by one they would take every connection.
  const before: Before = {
    withTxRef: makeMerchantBatch<TxRefKey, PaymentRow | undefined>(
      together(db, (merchantId, keys, tx) => findByTxRef(tx ?? db, merchantId, keys)),
    ),
    withIdempotencyKey: makeMerchantBatch<IdempotencyKey, IdempotentRow | undefined>(
      together(db, (merchantId, keys, tx) => findByIdempotencyKey(tx ?? db, merchantId, keys)),
    ),
  }

  async function create(payment: NewPayment): Promise<PaymentLink> {
    return tryAgainIfLost(() => createOnce(payment))
  }

  async function createOnce(payment: NewPayment): Promise<PaymentLink> {
    if (await insert(payment.merchant_id, payment))
      return { url: checkoutUrl(payment, baseUrl), isRepeat: false }
    const standing = await whatStandsInTheWay(db, before, payment, baseUrl)
    if (standing === undefined) return create({ ...payment, number: randomDigits(numberLength) })
    const url = checkoutUrl({ merchant_id: payment.merchant_id, number: standing }, baseUrl)
    return { url, isRepeat: standing !== payment.number }
  }

  return async (caller, request, origin) => {
    const payment = newPayment(caller, request, origin)
    if (request.project === null) return create(payment)
    const project = await findProject(db, caller.merchant.id, request.project)
    if (project) return create({ ...payment, project_id: project.id })
    // The project may be gone since the first request with this key, whose answer is given again all the same.
    const first = await findFirst(before, payment)
    if (!first || first.is_old) throw brokenRule('project', 'project must be one of your projects')
    const url = checkoutUrl({ merchant_id: payment.merchant_id, number: first.number }, baseUrl)
    return { url, isRepeat: true }
  }
}

/**
 * Once more if the outcome is unknown: an existing row is ours if it has our number. From then on no error says that
 * nothing was done: the retry did nothing; the first try may have committed.
 */
async function tryAgainIfLost(create: () => Promise<PaymentLink>): Promise<PaymentLink> {
  return create().catch(async (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable && error.outcomeUnknown)) throw error
    return create().catch((again: unknown) => {
      throw again instanceof DatabaseUnavailable ? new DatabaseUnavailable(true, { cause: again }) : again
    })
  })
}

async function insertAll(
  db: Queryable,
  merchantId: number,
  payments: readonly NewPayment[],
): Promise<boolean[]> {
  // Two batches that hold the same tx_refs in another order would wait for each other.
  const ordered = payments.toSorted((a, b) => compare(a.tx_ref, b.tx_ref))
  const created = await insertPayments(db, merchantId, ordered)
  return payments.map((payment) => created.has(payment.number))
}

/** Looks for the payment that has a tx_ref or an Idempotency-Key already. */
type Before = {
  readonly withTxRef: MerchantBatch<TxRefKey, PaymentRow | undefined>
  readonly withIdempotencyKey: MerchantBatch<IdempotencyKey, IdempotentRow | undefined>
}

function together<Item, Result>(
  db: Database,
  run: MerchantBatchOptions<Item, Result>['run'],
): MerchantBatchOptions<Item, Result> {
  return {
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    maxInAll: batchesInAll,
    run,
    groupOn: db,
  }
}

/** The number of the payment to return, undefined if there is no conflict any more; otherwise refuses. */
async function whatStandsInTheWay(
  db: Database,
  before: Before,
  payment: NewPayment,
  baseUrl: string,
): Promise<string | undefined> {
  const { merchant_id: merchantId, mode } = payment
  const first = await findFirst(before, payment)
  if (first?.is_old) {
    await forgetIdempotencyKey(db, { merchantId, number: first.number })
    return undefined
  }
  if (first) return first.number
  const taken = await before.withTxRef(merchantId, { mode, txRef: payment.tx_ref })
  if (!taken) return undefined
  if (taken.number === payment.number) return taken.number
  throw new Refusal('tx_ref_taken', undefined, { existing: existingOf(taken, baseUrl) })
}

/** For a program that lost the first answer. */
function existingOf(taken: PaymentRow, baseUrl: string): Existing {
  const status = publicStatus[taken.state]
  return taken.state === 'pending' ? { status, checkout_url: checkoutUrl(taken, baseUrl) } : { status }
}

/** The first payment of this Idempotency-Key. Refuses another body, unless that payment is too old to be repeated. */
async function findFirst(before: Before, payment: NewPayment): Promise<IdempotentRow | undefined> {
  const { merchant_id: merchantId, mode, idempotency_key: key, body_hash: bodyHash } = payment
  if (key === null || bodyHash === null) return undefined
  const first = await before.withIdempotencyKey(merchantId, { mode, key, bodyHash })
  if (first && !first.is_old && !first.same_body) throw new Refusal('idempotency_conflict')
  return first
}

export function newPayment(caller: Payee, request: PaymentRequest, origin: Origin): NewPayment {
  const { merchant, mode } = caller
  const idempotencyKey = origin.idempotencyKey ?? null
  return {
    merchant_id: merchant.id,
    number: randomDigits(numberLength),
    mode,
    tx_ref: request.txRef,
    reference: drawReference(),
    type: origin.type,
    currency: request.currency,
    amount_minor: request.amountMinor,
    charge_minor: feeOf(request.amountMinor, {
      basisPoints: merchant.feeBasisPoints,
      fixedMinor: fixedFeeOf(merchant, request.currency),
    }),
    email: request.email,
    first_name: request.firstName,
    last_name: request.lastName,
    callback_url: request.callbackUrl,
    return_url: request.returnUrl,
    title: request.title,
    description: request.description,
    logo: request.logo,
    meta: request.metaText,
    project_id: null,
    items: request.itemsText,
    invoice_number: request.invoiceNumber,
    saving: request.saving === null ? null : JSON.stringify(request.saving),
    dialect: caller.dialect === 'family' ? 'family' : null,
    pay_within_seconds: request.expiresInSeconds ?? merchant.payWithinMinutes * 60,
    idempotency_key: idempotencyKey,
    body_hash:
      idempotencyKey === null
        ? null
        : createHash('sha256')
            .update(origin.bodyText ?? '')
            .digest('hex'),
  }
}

// Letters and digits that are not taken for one another on a printed receipt.
const referenceAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const referenceShape = new RegExp(`^FL[${referenceAlphabet}]{12}$`)

function drawReference(): string {
  return `FL${randomText(referenceAlphabet, 12)}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0 // No test: equal keys want the same lock
}
