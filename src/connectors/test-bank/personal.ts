import type { PersonalRows } from '../../privacy/personal-rows.ts'
import { forgetTextsOf, readPagesOf } from './store.ts'

export const personalPages: PersonalRows = {
  what: 'pages_of_the_test_bank',
  read: async (db, { merchantId, numbers }) => readPagesOf(db, merchantId, numbers),
  erase: async (tx, { merchantId, numbers }) => forgetTextsOf(tx, merchantId, numbers),
}
