// What Florin's status of a payment means to Medusa.

export type SessionStatus = 'captured' | 'pending' | 'error' | 'canceled'
export type WebhookAction = 'captured' | 'pending' | 'failed' | 'canceled' | 'not_supported'

/** Florin takes the money at once, so a paid session is captured, never only authorized. */
export function sessionStatusOf(status: string): SessionStatus {
  switch (status) {
    case 'success':
      return 'captured'
    case 'failed':
      return 'error'
    case 'cancelled':
    case 'expired':
    // The money went back: nothing to place an order for.
    case 'refunded':
    case 'reversed':
      return 'canceled'
    default:
      // Statuses that are newer than this plugin, too: never an order without money.
      return 'pending'
  }
}

/** Medusa has no action for refunds and disputes. */
export function webhookActionOf(event: string, status: string): WebhookAction {
  if (!event.startsWith('payment.')) return 'not_supported'
  switch (status) {
    case 'success':
      return 'captured'
    case 'pending':
      return 'pending'
    case 'failed':
      return 'failed'
    case 'cancelled':
    case 'expired':
      return 'canceled'
    default:
      return 'not_supported'
  }
}
