import type { RoomData } from '../privacy/room-data.ts'
import { deleteLinkPayments, findUnsettled } from './old-tests-store.ts'

export const linkData: RoomData = {
  // The links themselves stay, as somebody made them by hand, with what they counted.
  tests: { findOpen: findUnsettled, delete: deleteLinkPayments },
}
