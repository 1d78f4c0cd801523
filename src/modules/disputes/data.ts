import type { RoomData } from '../../core/privacy/room-data.ts'
import { deleteDisputesOf, findUndecided } from './old-tests-store.ts'

export const disputeData: RoomData = {
  tests: { findOpen: findUndecided, delete: deleteDisputesOf },
}
