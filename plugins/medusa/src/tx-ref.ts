// The tx_ref of a payment is Medusa's payment session and the attempt: payses_01ABC-1. A changed cart needs a new payment, so a session may have several.

export function txRefOf(sessionId: string, attempt: number): string {
  return `${sessionId}-${attempt}`
}

export type SessionAttempt = { readonly sessionId: string; readonly attempt: number }

/** Undefined for payments that aren't Medusa's: the account may have other shops. */
export function readTxRef(txRef: unknown): SessionAttempt | undefined {
  const parts = typeof txRef === 'string' ? /^(payses_\w+)-(\d{1,6})$/.exec(txRef) : null
  return parts ? { sessionId: parts[1] ?? '', attempt: Number(parts[2]) } : undefined
}
