import type { TestRows } from '../../merchants/privacy/test-rows.ts'
import { deletePagesOf } from './old-tests-store.ts'

export const testPages: TestRows = { delete: deletePagesOf }
