import type { OrderKey } from './connector.ts'
import type { RefundOrder } from './hosted.ts'

// Our metadata on orders and refunds at a network, by which we find them if their answer was lost. Three keys, which is
// all GoCardless has room for.

export function metadataOf(order: OrderKey): Record<string, string> {
  return {
    florin_merchant: String(order.merchantId),
    florin_payment: order.paymentNumber,
    florin_key: order.idempotencyKey,
  }
}

export function refundMetadataOf(refund: RefundOrder): Record<string, string> {
  return {
    florin_merchant: String(refund.merchantId),
    florin_refund: refund.refundId,
    florin_key: refund.idempotencyKey,
  }
}

/** As it comes back in a callback; the names of an order that is not ours are missing. */
export function readMetadata(metadata: unknown): Partial<OrderKey> {
  if (typeof metadata !== 'object' || metadata === null) return {}
  const { florin_merchant, florin_payment, florin_key } = metadata as Record<string, unknown>
  return {
    ...(typeof florin_merchant === 'string' &&
      /^\d{1,10}$/.test(florin_merchant) && { merchantId: Number(florin_merchant) }),
    ...(typeof florin_payment === 'string' && { paymentNumber: florin_payment }),
    ...(typeof florin_key === 'string' && { idempotencyKey: florin_key }),
  }
}
