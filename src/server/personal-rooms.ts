import { personalPages } from '../connectors/test-bank/personal.ts'
import type { Rooms } from '../privacy/customers.ts'
import { personalDeliveries } from '../notifications/keep/personal.ts'
import {
  findCustomer,
  personalAttempts,
  personalNotes,
  personalPayments,
  personalRefusedForms,
  personalRequests,
} from '../payments/personal/personal.ts'
import { personalRefunds } from '../refunds/keep/personal.ts'

/**
 * Everything in the database that says who a customer was. A room with such rows adds a line; payments stand last, as the
 * others are found by them.
 */
export const personalRooms: Rooms = {
  find: findCustomer,
  rows: [
    personalDeliveries,
    personalRefunds,
    personalAttempts,
    personalNotes,
    personalRequests,
    personalRefusedForms,
    personalPages,
    personalPayments,
  ],
}
