import type { TestRows } from '../privacy/test-rows.ts'
import { deleteDisputesOf, findUndecided } from './old-tests-store.ts'

export const testDisputes: TestRows = { findOpen: findUndecided, delete: deleteDisputesOf }
