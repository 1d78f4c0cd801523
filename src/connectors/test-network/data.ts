import type { RoomData } from '../../privacy/room-data.ts'
import { deleteChargesOf } from './old-tests-store.ts'

export const testNetworkData: RoomData = { tests: { delete: deleteChargesOf } }
