import assert from 'node:assert/strict'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import type { NewAttempt } from '../../src/core/payments/attempts/insert-attempts-store.ts'
import { insertPayments, type NewPayment } from '../../src/core/payments/create-store.ts'

// Two merchants whose payments have the same numbers, references and keys, and attempts of the same numbers and keys.
// A statement that forgets whose rows it is about finds or changes those of the other one.

/** The numbers of the payments that both have, and what is special about each. */
export const twinNumbers = {
  /** One attempt was declined, the next is unknown. */
  busy: '9'.repeat(24),
  /** The same. */
  alsoBusy: '1'.repeat(24),
  /** Live, with the tx_ref and Idempotency-Key of the first one. */
  live: '2'.repeat(24),
  /** One attempt was declined: it can be paid. */
  open: '3'.repeat(24),
} as const

const sharedRef = 'order-twin'
export const twinKeys = { txRef: sharedRef, idempotencyKey: 'key-twin' } as const

export type Twins = {
  /** In the order of their numbers. */
  readonly merchants: readonly [number, number]
  /** All rows of one merchant in payments, attempts and payment_history. */
  rowsOf(merchantId: number): Promise<string[]>
  /** How many rows of a merchant are not among those of before. */
  countChanged(merchantId: number, rows: readonly string[]): Promise<number>
  /** The numbers of the payments, and the names of the attempts, that nobody else could change now. */
  lockedPayments(merchantId: number): Promise<string[]>
  lockedAttempts(merchantId: number): Promise<string[]>
  /** What is done for each of the two must leave every row of the other as it was. */
  forEach(work: (own: number, other: number) => Promise<void>): Promise<void>
}

export async function makeTwins(db: Database): Promise<Twins> {
  const ids = [await createMerchant(db, { name: 'Twin' }), await createMerchant(db, { name: 'Twin' })]
  const [one = 0, other = 0] = ids.toSorted((a, b) => a - b)
  for (const merchantId of [one, other]) {
    // Each has amounts of its own.
    const amountMinor = BigInt(merchantId)
    const { busy, alsoBusy, live, open } = twinNumbers
    await insertPayments(db, merchantId, [
      newPayment({ merchant_id: merchantId, number: alsoBusy, amount_minor: amountMinor }),
      newPayment({
        merchant_id: merchantId,
        number: live,
        mode: 'live',
        tx_ref: sharedRef,
        ...firstOf(merchantId),
      }),
      newPayment({ merchant_id: merchantId, number: open, amount_minor: amountMinor }),
      newPayment({
        merchant_id: merchantId,
        number: busy,
        amount_minor: amountMinor,
        tx_ref: sharedRef,
        ...firstOf(merchantId),
      }),
    ])
    for (const number of [busy, alsoBusy, open]) await insertAttempt(db, merchantId, number, 1, 'declined')
    for (const number of [busy, alsoBusy]) await insertAttempt(db, merchantId, number, 2, 'unknown')
  }
  return {
    merchants: [one, other],
    rowsOf: async (merchantId) => rowsOf(db, merchantId),
    async countChanged(merchantId, rows) {
      return (await rowsOf(db, merchantId)).filter((row) => !rows.includes(row)).length
    },
    lockedPayments: async (merchantId) => lockedPayments(db, merchantId),
    lockedAttempts: async (merchantId) => lockedAttempts(db, merchantId),
    async forEach(work) {
      for (const [own, twin] of [
        [one, other],
        [other, one],
      ] as const) {
        const rows = await rowsOf(db, twin)
        await work(own, twin)
        assert.deepEqual(await rowsOf(db, twin), rows)
      }
    },
  }
}

async function lockedPayments(db: Database, merchantId: number): Promise<string[]> {
  const free = await db.query<{ number: string }>(sql`
    select number from payments where merchant_id = ${merchantId} for no key update skip locked`)
  const numbers = new Set(free.map(({ number }) => number))
  return Object.values(twinNumbers)
    .filter((number) => !numbers.has(number))
    .toSorted()
}

async function lockedAttempts(db: Database, merchantId: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select number || '/' || attempt as name from attempts where merchant_id = ${merchantId}
    except
    select name from (
      select number || '/' || attempt as name from attempts where merchant_id = ${merchantId}
      for no key update skip locked
    ) as free`)
  return rows.map(({ name }) => name)
}

export async function insertAttempt(
  db: Database,
  merchantId: number,
  number: string,
  attempt: number,
  state: string,
): Promise<void> {
  await db.query(sql`
    insert into attempts (merchant_id, number, attempt, state, connector, idempotency_key, next_check_at)
    values (${merchantId}, ${number}, ${attempt}, ${state}, 'test-network', ${`${number}/${attempt}`},
      ${state === 'declined' ? null : new Date()})`)
}

async function rowsOf(db: Database, merchantId: number): Promise<string[]> {
  const rows = await db.query<{ row: string }>(sql`
    select row_to_json(payments)::text as row from payments where merchant_id = ${merchantId}
    union all select row_to_json(attempts)::text from attempts where merchant_id = ${merchantId}
    union all select row_to_json(payment_history)::text from payment_history where merchant_id = ${merchantId}`)
  return rows.map(({ row }) => row).toSorted()
}

function firstOf(merchantId: number): Pick<NewPayment, 'idempotency_key' | 'body_hash'> {
  return { idempotency_key: twinKeys.idempotencyKey, body_hash: twinBodyHash(merchantId) }
}

/** Each has sent a body of its own. */
export function twinBodyHash(merchantId: number): string {
  return String(merchantId).padStart(64, '0')
}

/** A payment as it is inserted; give what should be different. */
export function newPayment(
  changes: Partial<NewPayment> & Pick<NewPayment, 'merchant_id' | 'number'>,
): NewPayment {
  return {
    mode: 'test',
    tx_ref: `order-${changes.number}`,
    reference: changes.number.slice(-12),
    type: 'API',
    currency: 'GBP',
    amount_minor: 123_450n,
    charge_minor: 1_748n,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: 'https://shop.example/ipn',
    return_url: null,
    title: null,
    description: null,
    logo: null,
    meta: null,
    project_id: null,
    items: null,
    invoice_number: null,
    saving: null,
    dialect: null,
    idempotency_key: null,
    body_hash: null,
    pay_within_seconds: 60 * 1_440,
    ...changes,
  }
}

/** An attempt to pay the open payment as it is begun; give what should be different. */
export function newAttempt(changes: Partial<NewAttempt> & Pick<NewAttempt, 'merchant_id'>): NewAttempt {
  const number = changes.number ?? twinNumbers.open
  return {
    number,
    mode: 'test',
    connector: 'test-network',
    idempotency_key: `${number}/new`,
    card_brand: 'Visa',
    card_last4: '4242',
    account_id: null,
    saved_method_id: null,
    method: null,
    page_expires_at: null,
    page_expires_least: null,
    language: null,
    address_hash: null,
    card_fingerprint: null,
    is_judged: false,
    only_as: null,
    started_at: new Date(),
    next_check_at: new Date(),
    ...changes,
  }
}
