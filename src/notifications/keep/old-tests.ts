import type { TestRows } from '../../privacy/test-rows.ts'
import { deleteDeliveriesOf, lockWaiting } from './old-tests-store.ts'

/** What waits for a paused receiver goes with the rest: nobody has missed it for as long as tests are kept. */
export const testDeliveries: TestRows = { findOpen: lockWaiting, delete: deleteDeliveriesOf }
