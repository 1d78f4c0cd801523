import type { RoomData } from '../../core/privacy/room-data.ts'
import { deleteLinkPayments, findUnsettled } from './old-tests-store.ts'

export const linkData: RoomData = {
  // The links themselves stay with their counts, as a person created them.
  tests: { findOpen: findUnsettled, delete: deleteLinkPayments },
}
