import type { PaymentModel } from '../../../src/dashboard/payments/model.ts'
import type { PaymentRow } from '../../../src/core/payments/support/search-payments.ts'
import { now } from './page-ask.ts'

// A paid payment of 10.00 GBP, as its page receives it.

export const at = (second: number): string => new Date(now.getTime() + second * 1_000).toISOString()

export const payment = {
  number: '42',
  merchant_id: 12_345_678,
  mode: 'test',
  tx_ref: 'order-1',
  reference: 'REF1',
  type: 'API',
  state: 'success',
  late: false,
  currency: 'GBP',
  amount_minor: 1_000n,
  charge_minor: 34n,
  refunded_minor: 0n,
  refunds: 0,
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  callback_url: null,
  return_url: null,
  title: null,
  description: null,
  meta: null,
  project_id: null,
  items: null,
  invoice_number: null,
  language: null,
  dispute: null,
  saving: null,
  failure_reason: null,
  paid_with: null,
  created_at: at(0),
  updated_at: at(0),
  expires_at: at(86_400),
} as unknown as PaymentRow

export const attempt = {
  attempt: 1,
  state: 'succeeded',
  connector: 'test-network',
  decline_reason: null,
  card_brand: 'Visa',
  card_last4: '4242',
  method: null,
  started_at: at(1),
} as const

export const model = {
  payment,
  attempts: [attempt],
  history: [],
  parts: [],
  notifications: [],
  projectName: undefined,
  notes: [],
  names: new Map(),
} as unknown as PaymentModel

export const withPayment = (changes: object): Partial<PaymentModel> => ({
  payment: { ...payment, ...changes },
})

export const sent = {
  id: 'ntf_1',
  kind: 'ipn',
  event: 'payment.success',
  state: 'delivered',
  target: 'https://shop.example/ipn',
  created_at: at(2),
  next_try_at: null,
  attempts: [],
} as const
