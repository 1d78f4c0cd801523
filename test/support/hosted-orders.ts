import { randomInt, randomUUID } from 'node:crypto'
import type {
  HostedConnector,
  HostedOrder,
  HostedPage,
  PaymentMethod,
} from '../../src/core/networks/hosted.ts'

// Orders and pages as payments would send them to a network with a page of its own.

const hourMs = 3_600_000

export function newRefundKey() {
  return { refundId: `rfd_${randomUUID()}`, idempotencyKey: randomUUID() }
}

export function withReference(
  order: HostedOrder,
  { connectorReference }: { connectorReference: string },
): HostedOrder {
  return { ...order, connectorReference }
}

export function makeOrder(
  { connector, currency, method }: { connector: HostedConnector; currency: string; method: PaymentMethod },
  amountMinor = 1_999n,
): HostedOrder {
  return {
    merchantId: 12_345_678,
    paymentNumber: Array.from({ length: 24 }, () => randomInt(10)).join(''),
    idempotencyKey: randomUUID(),
    startedAt: new Date(),
    mode: connector.mode,
    amountMinor,
    currency,
    method,
  }
}

export function makePage(): HostedPage {
  return {
    description: 'Two seats',
    merchantName: 'Corner shop',
    txRef: 'order-1',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    language: 'de',
    returnUrl: 'https://pay.example.com/payment/1/return',
    cancelUrl: 'https://pay.example.com/payment/1',
    expiresAt: new Date(Date.now() + hourMs),
  }
}
