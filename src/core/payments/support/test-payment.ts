import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import { testReceiverUrl } from '../../notifications/test-receiver/address.ts'
import { readPayment } from '../api/read-payment.ts'
import type { CreatePayment } from '../create-payment.ts'

// A payment to try things out: in test mode, announced to the built-in receiver.

export type TestPayment = {
  readonly merchant: Merchant
  /** The customer: the person who tries it, so that the receipt goes to a real mailbox. */
  readonly email: string
  /** Where the customer is led back to. */
  readonly returnUrl: string
  /** Drawn before, for who may ask twice: there is one payment with it. */
  readonly txRef?: string
}

type Creating = { readonly db: Database; readonly createPayment: CreatePayment; readonly baseUrl: string }

export async function createTestPayment(
  { db, createPayment, baseUrl }: Creating,
  { merchant, email, returnUrl, txRef = `first-steps-${randomBase62(10)}` }: TestPayment,
  by: Actor,
): Promise<void> {
  if (merchant.isSuspended) throw new Refusal('merchant_suspended')
  const [first] = merchant.currencies.keys()
  const body = {
    tx_ref: txRef,
    amount: '10',
    currency: merchant.currencies.has('GBP') ? 'GBP' : first,
    email,
    first_name: 'Test',
    last_name: 'Customer',
    callback_url: testReceiverUrl(baseUrl, merchant.id),
    return_url: returnUrl,
    customization: { title: 'Your first payment', description: 'A test: no money moves' },
  }
  const payee = { merchant, mode: 'test', bounds: undefined } as const
  const request = readPayment(body, payee, JSON.stringify(body))
  const isMade = await createPayment(payee, request, { type: 'Link' }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'tx_ref_taken') return false
      throw error
    },
  )
  if (!isMade) return
  // Creates of all callers travel together, in a commit of their own.
  await inTransaction(db, async (tx) =>
    recordAct(tx, merchant.id, by, {
      action: 'payment.test_created',
      subject: body.tx_ref,
      after: { mode: 'test' },
    }),
  )
}
