import type { RoomData } from '../../privacy/room-data.ts'
import { deletePagesOf, forgetTextsOf, readPagesOf } from './store.ts'

export const testBankData: RoomData = {
  personal: [
    {
      what: 'pages_of_the_test_bank',
      read: async (db, { merchantId, numbers }) => readPagesOf(db, merchantId, numbers),
      erase: async (tx, { merchantId, numbers }) => forgetTextsOf(tx, merchantId, numbers),
    },
  ],
  tests: { delete: deletePagesOf },
}
