import type { OrderKey } from '../../core/networks/connector.ts'
import type { RefundOrder } from '../../core/networks/hosted.ts'
import { metadataOf, readMetadata, refundMetadataOf } from '../../core/networks/order-metadata.ts'

// PayPal has room for one text of 127 characters on an order or a refund, and repeats it in captures, callbacks, disputes and its
// list of transactions. So our three names are written one after the other. The answer to a refund allows letters, digits and
// `-_.,` in it, the list of transactions no slash.

export function customIdOf(order: OrderKey): string {
  return Object.values(metadataOf(order)).join('.')
}

export function refundCustomIdOf(refund: RefundOrder): string {
  return Object.values(refundMetadataOf(refund)).join('.')
}

/** Until November 2026 Florin wrote slashes between them. */
const shape = /^(\d{8})[./]([\w-]{1,50})[./]([\w-]{1,60})$/

/** Empty for a text that is not ours: other shops may use the same account. */
export function readCustomId(text: unknown): Partial<OrderKey> {
  const match = typeof text === 'string' ? shape.exec(text) : null
  if (!match) return {}
  const [, florin_merchant, subject, florin_key] = match
  const isPayment = /^\d{24}$/.test(subject ?? '')
  return readMetadata({ florin_merchant, florin_key, ...(isPayment && { florin_payment: subject }) })
}
