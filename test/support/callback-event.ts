import type { EventRow } from '../../src/core/callbacks/event-store.ts'

/** What a network's callback announced, as stored; all of it made up but what the test names. */
export function callbackEvent(
  changes: Pick<EventRow, 'merchant_id' | 'about'> & Partial<EventRow>,
): EventRow {
  return {
    account_id: 'acc_1',
    connector: 'fake',
    event_id: 'evt_1',
    number: null,
    idempotency_key: null,
    reference: null,
    tries: 1,
    received_at: '2026-01-01T00:00:00.000Z',
    ...changes,
  }
}
