import type { RoomData } from '../../privacy/room-data.ts'
import { deletePayments, findOld, lockOld } from './old-tests-store.ts'
import {
  personalAttempts,
  personalNotes,
  personalPayments,
  personalRefusedForms,
  personalRequests,
} from './personal.ts'

export const paymentData: RoomData = {
  // Payments last, as the others are found by them.
  personal: [personalAttempts, personalNotes, personalRequests, personalRefusedForms, personalPayments],
  tests: { delete: deletePayments },
}

export { findOld as findOldTests, lockOld as lockOldTests }
