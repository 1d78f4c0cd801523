import type { TestRows } from '../privacy/test-rows.ts'
import { deleteLinkPayments, findUnsettled } from './old-tests-store.ts'

/** The links themselves stay, as somebody made them by hand, with what they counted. */
export const testLinkPayments: TestRows = { findOpen: findUnsettled, delete: deleteLinkPayments }
