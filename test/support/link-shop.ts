import assert from 'node:assert/strict'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createLink, drawTxRef } from '../../src/modules/links/create-link.ts'
import type { Linking, LinkPlace } from '../../src/modules/links/linking.ts'
import { readLink } from '../../src/modules/links/read-link.ts'
import { startPayment, type Started } from '../../src/modules/links/start-payment.ts'
import { findLink, type LinkRow } from '../../src/modules/links/store.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { makeCreatePayment } from '../../src/core/payments/create-payment.ts'
import type { PaymentEvent } from '../../src/core/payments/state-machine.ts'
import { lockPayment, type PaymentKey } from '../../src/core/payments/store.ts'
import { transition } from '../../src/core/payments/transition.ts'
import { openTill, type Till } from './till.ts'

// Payment links without HTTP, on a clock that stands still until the test moves it.

const baseUrl = 'https://pay.example.com'

export type LinkShop = {
  readonly till: Till
  readonly linking: Linking
  readonly place: LinkPlace
  newLink(fields?: Record<string, string>): Promise<LinkRow>
  /** As it is now. */
  read(link: LinkRow): Promise<LinkRow>
  /** A customer asks for a place; with the txRef of a form that was sent before, for the same one. */
  order(link: LinkRow, txRef?: string): Promise<Started>
  /** The payment of an order that was taken. */
  paymentOf(started: Started): PaymentKey
  happens(started: Started, event: PaymentEvent): Promise<void>
  stateOf(started: Started): Promise<string>
  /** Of its payments, the oldest first. */
  rows(link: LinkRow): Promise<readonly { state: string; look_at: Date }[]>
  close(): Promise<void>
}

export async function openLinkShop(): Promise<LinkShop> {
  const till = await openTill()
  const { db, paying, merchantId } = till
  const linking = { ...till.core, paying, createPayment: makeCreatePayment(db, baseUrl) }
  const merchant = (await readMerchant(db, merchantId)) ?? assert.fail()
  const place = { merchant, mode: 'test' } as const
  const customer = { email: 'ada@example.com', firstName: 'Ada', lastName: '' }
  const paymentOf = (started: Started): PaymentKey => ({
    merchantId,
    number: started.kind === 'started' ? started.number : assert.fail(started.kind),
  })
  return {
    till,
    linking,
    place,
    async newLink(fields = {}) {
      const given = { kind: 'reusable', title: 'Fair ticket', currency: 'GBP', amount: '12.50', ...fields }
      const form = new Map(Object.entries(given))
      return createLink(linking, place, readLink(form, place, paying.now()), bySystem)
    },
    read: async ({ id }) => (await findLink(db, merchantId, id)) ?? assert.fail(),
    order: async (link, txRef = drawTxRef()) =>
      startPayment(linking, place, link, { ...customer, txRef, amountMinor: undefined }),
    paymentOf,
    async happens(started, event) {
      const moved = await inTransaction(db, async (tx) => {
        const locked = await lockPayment(tx, paymentOf(started))
        return locked && (await transition({ ...paying, baseUrl }, tx, locked, event)).moved
      })
      assert.ok(moved, `${event} did not happen`)
    },
    stateOf: async (started) => (await till.read(paymentOf(started))).state,
    async rows({ id }) {
      const found = await db.query<{ state: string; look_at: string }>(sql`
        select state, look_at from link_payments
        where merchant_id = ${merchantId} and link_id = ${id} order by created_at, tx_ref`)
      return found.map(({ state, look_at }) => ({ state, look_at: new Date(look_at) }))
    },
    close: () => till.close(),
  }
}
