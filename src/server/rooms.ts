import { testBankData } from '../connectors/test-bank/data.ts'
import { testNetworkData } from '../connectors/test-network/data.ts'
import { disputeData } from '../disputes/data.ts'
import { linkData } from '../links/data.ts'
import { merchantData } from '../merchants/data.ts'
import { notificationData } from '../notifications/data/data.ts'
import { findOldTests, lockOldTests, paymentData } from '../payments/data/data.ts'
import { findCustomer } from '../payments/data/personal.ts'
import { indexAgain } from '../payments/search/index-payments.ts'
import { payoutData } from '../payouts/data.ts'
import { peopleData } from '../people/data.ts'
import type { Rooms } from '../privacy/customers.ts'
import type { RoomData } from '../privacy/room-data.ts'
import type { TestRooms } from '../privacy/test-rows.ts'
import { refundData } from '../refunds/data.ts'
import { requestLogData } from '../request-log/data.ts'
import { savedMethodData } from '../saved-methods/data.ts'
import { installationSecretRows } from '../secrets/installation-secrets.ts'
import type { SealedRows } from '../secrets/reseal.ts'

/** Every module with personal rows, rows that belong to a payment, or secrets. Payments last: other rows are found by them. */
const rooms: readonly RoomData[] = [
  { sealed: [installationSecretRows] },
  notificationData,
  merchantData,
  peopleData,
  payoutData,
  linkData,
  disputeData,
  refundData,
  savedMethodData,
  testNetworkData,
  testBankData,
  requestLogData,
  paymentData(indexAgain),
]

/** Everything in the database that says who a customer is. */
export const personalRooms: Rooms = {
  find: findCustomer,
  rows: rooms.flatMap(({ personal = [] }) => personal),
}

/** Everything in the database that belongs to a payment of test mode. */
export const testRooms: TestRooms = {
  find: findOldTests,
  lock: lockOldTests,
  rows: rooms.flatMap(({ tests = [] }) => tests),
}

/** Everything in the database that is encrypted, for the commands that encrypt it again. */
export const sealedRooms: readonly SealedRows<unknown>[] = rooms.flatMap(({ sealed = [] }) => sealed)
