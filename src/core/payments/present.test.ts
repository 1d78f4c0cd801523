import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transactionJson } from './present.ts'
import { paymentStates } from './state-machine.ts'
import type { PaymentRow } from './store.ts'

const payment: PaymentRow = {
  merchant_id: 10_000_001,
  number: '7'.repeat(24),
  mode: 'test',
  tx_ref: 'order-1',
  reference: 'FL23456789ABCD',
  type: 'API',
  state: 'success',
  late: false,
  currency: 'GBP',
  amount_minor: 123_450n,
  charge_minor: 34n,
  refunded_minor: 0n,
  refunds: 0,
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: '',
  callback_url: 'http://shop.example/ipn',
  return_url: null,
  title: null,
  description: null,
  logo: null,
  meta: null,
  project_id: null,
  items: null,
  invoice_number: null,
  language: 'en',
  dispute: null,
  created_at: '2026-11-15T12:00:00.000000Z',
  updated_at: '2026-11-15T12:01:00.000000Z',
  expires_at: '2026-11-16T12:00:00.000000Z',
  paid_at: null,
  paid_with: null,
  failure_reason: null,
  saving: null,
  dialect: null,
}

const shown = {
  first_name: 'Ada',
  last_name: '',
  email: 'ada@example.com',
  currency: 'GBP',
  amount: '1,234.50',
  amount_minor: 123_450,
  charge: '0.34',
  charge_minor: 34,
  refunded_minor: 0,
  mode: 'test',
  type: 'API',
  status: 'success',
  reference: 'FL23456789ABCD',
  tx_ref: 'order-1',
  customization: { title: '', description: '', logo: '' },
  meta: {},
  created_at: '2026-11-15T12:00:00.000000Z',
  updated_at: '2026-11-15T12:01:00.000000Z',
  expires_at: '2026-11-16T12:00:00.000000Z',
}

const baseUrl = 'http://pay.example'

const show = (changes: Partial<PaymentRow>, ...more: [Map<string, string>?, object[]?]): unknown =>
  JSON.parse(transactionJson({ ...payment, ...changes }, baseUrl, ...more))

test('a payment is shown without missing fields', () => {
  assert.deepEqual(show({}), shown)
  assert.deepEqual(show({}, new Map([['other', 'Spring']]), []), shown)
})

test('existing fields are shown: texts, items, refunds, a dispute and the project', () => {
  const customization = { title: 'Chairs', description: 'Two', logo: 'http://shop.example/logo.png' }
  const items = [
    { name: 'A', quantity: 2, unit_minor: '450', tax_rate: '20' },
    { name: 'B', quantity: 1, unit_minor: '-5' },
  ]
  const changes = {
    ...customization,
    items: JSON.stringify(items),
    invoice_number: 'INV-7',
    refunded_minor: 1n,
    dispute: '{"id":"dsp_1"}',
    project_id: 'prj_1',
  }
  assert.deepEqual(show(changes, new Map([['prj_1', 'Spring']]), [{ id: 'ref_1' }]), {
    ...shown,
    customization,
    items: [
      { name: 'A', quantity: 2, unit_amount: '4.50', unit_amount_minor: 450, tax_rate: '20' },
      { name: 'B', quantity: 1, unit_amount: '-0.05', unit_amount_minor: -5 },
    ],
    invoice_number: 'INV-7',
    refunded: '0.01',
    refunded_minor: 1,
    refunds: [{ id: 'ref_1' }],
    dispute: { id: 'dsp_1', loss: '0.00', loss_minor: 0 },
    project: 'Spring',
    project_id: 'prj_1',
  })
})

test('only a payable payment shows its link', () => {
  for (const state of paymentStates) {
    const link = { checkout_url: `${baseUrl}/payment/10000001${'7'.repeat(24)}` }
    assert.deepEqual(show({ state }), { ...shown, status: state, ...(state === 'pending' && link) })
  }
})

test('a payment shows when and how it was paid, once known', () => {
  const paid_at = '2026-11-15T12:00:59.000000Z'
  const method = { kind: 'card', network: 'test-network', brand: 'Visa', last4: '4242' }
  assert.deepEqual(show({ paid_at, paid_with: JSON.stringify(method) }), { ...shown, paid_at, method })
})

test('only a failed payment shows the reason, even if the money came later', () => {
  for (const state of paymentStates) {
    const { failure } = show({ state, failure_reason: 'insufficient_funds' }) as { failure?: object }
    const why = { code: 'insufficient_funds', message: 'Not enough money on the card' }
    assert.deepEqual(failure, state === 'failed' ? why : undefined, state)
  }
})

test('meta is returned to the digit', () => {
  const text = transactionJson({ ...payment, meta: '{"a":1.50,"id":12345678901234567890}' }, baseUrl)
  assert.ok(text.includes('"meta":{"a":1.50,"id":12345678901234567890},"created_at"'), text)
})
