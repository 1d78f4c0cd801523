/** A request that breaks no rule; give what should be different. */
export function paymentRequest(changes: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1
  return {
    tx_ref: `order-${process.pid}-${count}`,
    amount: '1234.50',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    ...changes,
  }
}

let count = 0
