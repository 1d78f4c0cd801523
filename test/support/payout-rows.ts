import { paymentRow, type Values } from './rows.ts'

// Rows of payouts as a test wants them: what networks report over days.

export function feedRow(of: Values): Values {
  return { account_id: 'acc_stripe', connector: 'stripe', mode: 'live', next_check_at: '2026-12-01', ...of }
}

/** `po_1` is called `po_1` here and `net_po_1` by the network. */
export function payoutRow(of: Values & { readonly id: string }): Values {
  return {
    mode: 'live',
    connector: 'stripe',
    account_id: 'acc_stripe',
    reference: `net_${of.id}`,
    state: 'arrived',
    amount_minor: 1000n,
    currency: 'EUR',
    arrives_on: '2026-11-17',
    made_at: '2026-11-15T00:00:00Z',
    updated_at: '2026-11-17T00:00:00Z',
    ...of,
  }
}

export function arrivalRow(of: Values & { readonly payout_id: string }): Values {
  return { place: 1, at: '2026-11-17T08:00:00Z', state: 'arrived', ...of }
}

/** A payment of 10.00 with a fee of 0.34 and its tax of 0.06, unless it is something else. */
export function lineRow(of: Values & { readonly reference: string }): Values {
  const line = { gross_minor: 1000n, fee_minor: 34n, tax_minor: 6n, ...of } as Record<string, unknown>
  const [gross, fee, tax] = ['gross_minor', 'fee_minor', 'tax_minor'].map((name) => line[name] as bigint)
  return {
    account_id: 'acc_stripe',
    mode: 'live',
    kind: 'payment',
    type: 'charge',
    currency: 'EUR',
    booked_at: '2026-11-10T12:00:00Z',
    available_at: '2026-11-12T12:00:00Z',
    ...line,
    net_minor: (gross ?? 0n) - (fee ?? 0n) - (tax ?? 0n),
  }
}

export function livePayment(of: Parameters<typeof paymentRow>[0]): Values {
  return paymentRow({ mode: 'live', currency: 'EUR', ...of })
}
