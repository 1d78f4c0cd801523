import type { TestRows } from '../../merchants/privacy/test-rows.ts'
import { deleteChargesOf } from './old-tests-store.ts'

export const testCharges: TestRows = { delete: deleteChargesOf }
