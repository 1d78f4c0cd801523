import type { RoomData } from '../../core/privacy/room-data.ts'
import { unlinkTests } from './line-store.ts'

/** Lines stay, as a payout must add up; they name nothing of a test payment that is gone. */
export const payoutData: RoomData = {
  tests: { delete: unlinkTests },
}
