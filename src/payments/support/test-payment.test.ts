import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTill, type Till } from '../../../test/support/till.ts'
import { sql } from '../../database/sql.ts'
import { Refusal } from '../../errors/refusals.ts'
import type { Actor } from '../../merchants/audit/audit.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import type { CreatePayment } from '../create-payment.ts'
import { createTestPayment } from './test-payment.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const by: Actor = { kind: 'person', name: 'per_1' }

function merchant(changes: Partial<Merchant> = {}): Merchant {
  return {
    id: till.merchantId,
    name: 'Corner shop',
    email: null,
    liveEnabled: false,
    isSuspended: false,
    feeBasisPoints: 0,
    formsTakeSecretKeys: true,
    refundFees: false,
    payWithinMinutes: 1_440,
    brand: plainBrand,
    currencies: new Map([['GBP', 0n]]),
    ...changes,
  }
}

/** What was created, as it was asked for, and what is written down of it. */
async function tryOut(changes: Partial<Merchant> = {}, error?: Error, txRef?: string) {
  const created: unknown[] = []
  const createPayment: CreatePayment = async ({ mode }, request, { type }) => {
    const { amountMinor, currency, email, returnUrl } = request
    created.push([mode, type, request.txRef, amountMinor, currency, email, returnUrl])
    if (error) throw error
    return { url: 'http://127.0.0.1/payment/1', isRepeat: false }
  }
  const asked = {
    merchant: merchant(changes),
    email: 'ada@example.com',
    returnUrl: 'https://shop.example/',
    ...(txRef !== undefined && { txRef }),
  }
  const told = await createTestPayment(
    { db: till.db, createPayment, baseUrl: 'http://127.0.0.1' },
    asked,
    by,
  ).then(
    () => 'made',
    (thrown: unknown) => String(thrown),
  )
  const acts = await till.db.query<{ subject: string }>(sql`
    select subject from audit_log
    where merchant_id = ${till.merchantId} and action = 'payment.test_created' and actor = 'per_1'
    order by at`)
  return { told, created, acts: acts.map(({ subject }) => subject) }
}

const asked = (txRef: string, currency = 'GBP'): unknown[] => [
  'test',
  'Link',
  txRef,
  1_000n,
  currency,
  'ada@example.com',
  'https://shop.example/',
]

test('somebody tries a payment out once, in a currency of the shop, and it is written down', async () => {
  const made = await tryOut({}, undefined, 'first')
  assert.deepEqual(made, { told: 'made', created: [asked('first')], acts: ['first'] })
  const euro = new Map([['EUR', 0n]])
  const both = new Map([...euro, ['GBP', 0n]])
  for (const [currencies, currency] of [
    [euro, 'EUR'],
    [both, 'GBP'],
  ] as const) {
    const { created } = await tryOut({ currencies }, new Refusal('tx_ref_taken'), 'again')
    assert.deepEqual(created, [asked('again', currency)])
  }
})

test('who asks twice is told nothing, and nothing is written down of what was not made', async () => {
  const { acts: earlier } = await tryOut({}, new Refusal('tx_ref_taken'), 'twice')
  assert.ok(!earlier.includes('twice'))
  for (const [error, told] of [
    [new Refusal('tx_ref_taken'), 'made'],
    [new Refusal('idempotency_conflict'), /^Refusal: /],
    [new Error('broken'), /^Error: broken$/],
  ] as const) {
    const done = await tryOut({}, error, 'twice')
    assert.match(done.told, new RegExp(told))
    assert.deepEqual(done.acts, earlier)
  }
  const { created, told } = await tryOut({ isSuspended: true })
  assert.deepEqual([created, told.startsWith('Refusal: ')], [[], true])
})

test('a payment that nobody named has a name of its own', async () => {
  const { acts } = await tryOut()
  assert.match(acts.at(-1) ?? '', /^first-steps-[\dA-Za-z]{10}$/)
})
