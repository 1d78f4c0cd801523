import type { Unpaid } from './payment.ts'

// What customers and strangers can send to a shop's callback, the most innocent first: the first call that completes the
// order says what the shop trusts.

export type ShopCall = {
  readonly name: string
  /** What a shop that completes the order after this call gets wrong. */
  readonly mistake: string
  readonly send: () => Promise<Response>
}

const answerTimeoutMs = 15_000

export function unpaidCalls(plugin: string, payment: Unpaid): readonly ShopCall[] {
  const { txRef } = payment
  const typed = { tx_ref: txRef, trx_ref: txRef, status: 'success' }
  const body = JSON.stringify({
    event: 'payment.success',
    event_type: 'checkout.payment',
    ...typed,
    reference: txRef,
    amount: payment.amount,
    currency: payment.currency,
    data: { ...typed, amount: payment.amount, currency: payment.currency },
  })
  const json = { 'content-type': 'application/json' }
  const wrong = 'a'.repeat(64)
  const signatures = { signature: wrong, 'x-chapa-signature': wrong, 'chapa-signature': wrong }
  return [
    {
      name: 'a customer comes back without paying',
      mistake:
        'It takes the visit for a payment, or the outer status of the look-up: decide by data.status, or use a key with the dialect family.',
      send: async () => call(withQuery(plugin, { tx_ref: txRef, trx_ref: txRef })),
    },
    {
      name: 'a customer types status=success',
      mistake: 'It trusts the address, which customers can change: look the payment up.',
      send: async () => call(withQuery(plugin, typed)),
    },
    {
      name: 'a stranger sends a form',
      mistake: 'It trusts the fields of a form that anybody can send: look the payment up.',
      send: async () => call(withQuery(plugin, typed), { method: 'POST', body: new URLSearchParams(typed) }),
    },
    {
      name: 'a stranger sends a notification without a signature',
      mistake: 'It trusts notifications without a signature: check it, or look the payment up.',
      send: async () => call(plugin, { method: 'POST', headers: json, body }),
    },
    {
      name: 'a stranger signs a notification wrongly',
      mistake: "It doesn't check the signature of notifications: check it, or look the payment up.",
      send: async () => call(plugin, { method: 'POST', headers: { ...json, ...signatures }, body }),
    },
  ]
}

/** Where a key of the dialect takes a customer who has paid. */
export async function comeBackPaid(plugin: string, { txRef }: Unpaid): Promise<Response> {
  return call(withQuery(plugin, { tx_ref: txRef, trx_ref: txRef, status: 'success' }))
}

function withQuery(plugin: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(plugin)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

async function call(url: string, request: RequestInit = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerTimeoutMs), ...request })
}
