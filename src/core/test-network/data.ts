import type { RoomData } from '../privacy/room-data.ts'
import { deleteChargesOf } from './store.ts'

export const testNetworkData: RoomData = { tests: { delete: deleteChargesOf } }
