import type { TestRooms, TestRows } from '../../privacy/test-rows.ts'
import { deletePayments, findOld, lockOld } from './old-tests-store.ts'

export const findOldTests: TestRooms['find'] = findOld

export const lockOldTests: TestRooms['lock'] = lockOld

export const testPayments: TestRows = { delete: deletePayments }
