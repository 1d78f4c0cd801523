import type { RoomData } from '../../core/privacy/room-data.ts'
import { totpRows } from './factors/second-factor.ts'

export const peopleData: RoomData = { sealed: [totpRows] }
