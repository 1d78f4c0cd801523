import type { RoomData } from '../privacy/room-data.ts'
import { deleteDisputesOf, findUndecided } from './old-tests-store.ts'

export const disputeData: RoomData = {
  tests: { findOpen: findUndecided, delete: deleteDisputesOf },
}
