import type { TestRows } from '../../privacy/test-rows.ts'
import { deletePagesOf } from './old-tests-store.ts'

export const testPages: TestRows = { delete: deletePagesOf }
