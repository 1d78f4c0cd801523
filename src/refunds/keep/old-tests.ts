import type { TestRows } from '../../privacy/test-rows.ts'
import { deleteRefundsOf, findUnderWay } from './old-tests-store.ts'

export const testRefunds: TestRows = { findOpen: findUnderWay, delete: deleteRefundsOf }
