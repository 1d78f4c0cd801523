import { askAbout } from '../payments/attempts/hosted/ask-about.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import { nobody, type EventRow } from './event-store.ts'
import type { EventResult, HandleEvent } from './work-on-events.ts'

// What an event leads to, by its kind: we ask the network and apply its answer. Modules add their own kinds.

export function orderCallbacks(paying: Paying) {
  return {
    order: async (event) =>
      ifOurs(event, async () =>
        askAbout(paying, {
          merchantId: event.merchant_id,
          number: event.number ?? undefined,
          idempotencyKey: event.idempotency_key ?? undefined,
          connectorReference: event.reference ?? undefined,
        }),
      ),
  } satisfies Record<string, HandleEvent>
}

/** For what names its merchant whenever it is ours, and is asked about without a callback as well. */
export async function ifOurs(event: EventRow, ask: () => Promise<string>): Promise<EventResult> {
  return event.merchant_id === nobody ? 'unknown' : resultOf(await ask())
}

export function resultOf(asked: string): EventResult {
  if (asked === 'no_answer') return asked
  return asked === 'asked' ? 'done' : 'unknown'
}
