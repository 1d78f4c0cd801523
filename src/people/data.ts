import type { RoomData } from '../privacy/room-data.ts'
import { totpRows } from './factors/second-factor.ts'

export const peopleData: RoomData = { sealed: [totpRows] }
