import type { SealedRows } from '../../platform/secrets/reseal.ts'
import type { PersonalRows } from './personal-rows.ts'
import type { TestRows } from './test-rows.ts'

/** What the installation has to know about the rows of a module. src/app/rooms.ts lists them all. */
export type RoomData = {
  /** Rows that say who a customer is. */
  readonly personal?: readonly PersonalRows[]
  /** Rows that belong to a payment, and are deleted with one of test mode. */
  readonly tests?: TestRows
  /** Encrypted secrets, which key rotation encrypts again. */
  readonly sealed?: readonly SealedRows<unknown>[]
}
