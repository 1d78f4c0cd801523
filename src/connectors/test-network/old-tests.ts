import type { TestRows } from '../../privacy/test-rows.ts'
import { deleteChargesOf } from './old-tests-store.ts'

export const testCharges: TestRows = { delete: deleteChargesOf }
