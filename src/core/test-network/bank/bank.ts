import type { Database } from '../../../platform/database/database.ts'
import { randomHex } from '../../../platform/database/random-id.ts'
import type { HostedConnector, HostedStatus, RefundOrder, RefundStatus } from '../../networks/hosted.ts'
import { pageAddress } from './page-address.ts'
import { closePage, findPageOfOrder, findRefund, insertPage, insertRefund, type PageRow } from './store.ts'

// A network with its own payment page, like the live ones, that never leaves the machine: it shows the flow of a live
// payment in test mode. It keeps its own records and reports them.

/** A customer who chose to pay so that the bank decides later: how much later. */
export const undecidedMs = 3_000

const most = 10n ** 15n

export function makeTestBank(db: Database, baseUrl: string, now: () => Date): HostedConnector {
  return {
    kind: 'hosted',
    name: 'test-bank',
    label: 'Test bank',
    mode: 'test',
    credentials: [],
    isSandbox: () => true,
    methods: () => ['bank'],
    limits: () => ({ least: 1n, most }),
    check: async () => ({ kind: 'works', accountName: 'Test bank', sandbox: true, callbacks: 'unknown' }),
    async open(_account, order, page, signal) {
      signal.throwIfAborted()
      await insertPage(db, order, page, { reference: makeReference(order.merchantId), at: now() })
      const opened = await findPageOfOrder(db, order)
      if (!opened) throw new Error('A page that was just created does not exist')
      if (opened.state === 'withdrawn') return { kind: 'refused', why: 'The order was already withdrawn' }
      return {
        kind: 'open',
        connectorReference: opened.reference,
        url: pageAddress(baseUrl, opened.reference),
      }
    },
    async fetch(_account, order, signal) {
      signal.throwIfAborted()
      const page = await findPageOfOrder(db, order)
      return page ? statusOf(page, baseUrl, now()) : { kind: 'not_found' }
    },
    async withdraw(_account, order, signal) {
      signal.throwIfAborted()
      await closePage(db, order, { reference: makeReference(order.merchantId), at: now() })
      const page = await findPageOfOrder(db, order)
      return page ? statusOf(page, baseUrl, now()) : { kind: 'not_found' }
    },
    async refund(_account, refund, signal) {
      signal.throwIfAborted()
      await insertRefund(db, refund, { reference: `tr_${randomHex(24)}`, at: now() })
      const told = await reportRefund(db, refund)
      return told.kind === 'not_found' ? { kind: 'failed', reason: 'more_than_was_paid' } : told
    },
    async fetchRefund(_account, refund, signal) {
      signal.throwIfAborted()
      return reportRefund(db, refund)
    },
    // It runs in the same process and sends no callbacks: Florin asks.
    readCallback: () => undefined,
  }
}

function statusOf(page: PageRow, baseUrl: string, at: Date): HostedStatus {
  const connectorReference = page.reference
  if (page.state === 'withdrawn') return { kind: 'declined', reason: 'challenge_abandoned' }
  if (page.state === 'open') {
    if (Date.parse(page.expires_at) <= at.getTime())
      return { kind: 'declined', reason: 'challenge_abandoned' }
    return { kind: 'open', connectorReference, url: pageAddress(baseUrl, page.reference) }
  }
  const leftMs = Date.parse(page.told_from) - at.getTime()
  // More than the whole span is left when the customer decided while the clock ran ahead: it is decided then.
  if (leftMs > 0 && leftMs <= undecidedMs) return { kind: 'pending', connectorReference }
  if (page.state === 'refused') return { kind: 'declined', reason: 'declined' }
  if (page.amount_minor === null || page.currency === null) throw new Error('A paid page has no amount')
  const money = { amountMinor: page.amount_minor, currency: page.currency }
  return { kind: 'charged', connectorReference, chargeReference: page.reference, money }
}

async function reportRefund(db: Database, refund: RefundOrder): Promise<RefundStatus> {
  const found = await findRefund(db, refund)
  return found ? { kind: 'succeeded', refundReference: found.reference } : { kind: 'not_found' }
}

/** Begins with the merchant's number: a page leads to its merchant without a search. */
function makeReference(merchantId: number): string {
  return `tb_${merchantId}_${randomHex(24)}`
}
