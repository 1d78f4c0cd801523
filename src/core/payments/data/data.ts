import type { RoomData } from '../../privacy/room-data.ts'
import type { Reworded } from '../slots/reworded.ts'
import { deletePayments, findOld, lockOld } from './old-tests-store.ts'
import { personalAttempts, personalNotes, personalPayments, personalRefusedForms } from './personal.ts'

export const paymentData = (reworded: Reworded): RoomData => ({
  // Payments last, as the others are found by them.
  personal: [personalAttempts, personalNotes, personalRefusedForms, personalPayments(reworded)],
  tests: { delete: deletePayments },
})

export { findOld as findOldTests, lockOld as lockOldTests }
