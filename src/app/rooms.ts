import { testBankData } from '../core/test-network/bank/data.ts'
import { testNetworkData } from '../core/test-network/data.ts'
import { merchantData } from '../core/merchants/data.ts'
import { notificationData } from '../core/notifications/data/data.ts'
import { findOldTests, lockOldTests, paymentData } from '../core/payments/data/data.ts'
import { findCustomer } from '../core/payments/data/personal.ts'
import { indexAgain } from '../core/payments/search/index-payments.ts'
import { peopleData } from '../dashboard/people/data.ts'
import type { Rooms } from '../core/privacy/customers.ts'
import type { RoomData } from '../core/privacy/room-data.ts'
import type { TestRooms } from '../core/privacy/test-rows.ts'
import { installationSecretRows } from '../platform/secrets/installation-secrets.ts'
import { allModules } from './modules.ts'
import type { SealedRows } from '../platform/secrets/reseal.ts'

/** Every module with personal rows, rows that belong to a payment, or secrets. Payments last: other rows are found by them. */
const rooms: readonly RoomData[] = [
  { sealed: [installationSecretRows] },
  notificationData,
  merchantData,
  peopleData,
  ...allModules.flatMap(({ data = [] }) => data),
  testNetworkData,
  testBankData,
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
