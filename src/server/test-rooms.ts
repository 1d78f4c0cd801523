import { testPages } from '../connectors/test-bank/old-tests.ts'
import { testCharges } from '../connectors/test-network/old-tests.ts'
import { testDisputes } from '../disputes/old-tests.ts'
import { testLinkPayments } from '../links/old-tests.ts'
import type { TestRooms } from '../privacy/test-rows.ts'
import { testDeliveries } from '../notifications/keep/old-tests.ts'
import { findOldTests, lockOldTests, testPayments } from '../payments/old-tests/old-tests.ts'
import { testRefunds } from '../refunds/keep/old-tests.ts'

/**
 * Everything in the database that hangs on a payment of test mode. A room with such rows adds a line; payments stand last, as
 * the others refer to them.
 */
export const testRooms: TestRooms = {
  find: findOldTests,
  lock: lockOldTests,
  rows: [testDeliveries, testLinkPayments, testDisputes, testRefunds, testCharges, testPages, testPayments],
}
