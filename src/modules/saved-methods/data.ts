import type { RoomData } from '../../core/privacy/room-data.ts'
import { deleteMethodsOf, erasePersonal, findUsable, readPersonal } from './data-store.ts'
import { tokenRows } from './tokens.ts'

export const savedMethodData: RoomData = {
  personal: [
    {
      what: 'saved methods',
      read: async (db, { merchantId, numbers }) => readPersonal(db, merchantId, numbers),
      erase: async (tx, { merchantId, numbers }) => erasePersonal(tx, merchantId, numbers),
    },
  ],
  tests: { findOpen: findUsable, delete: deleteMethodsOf },
  sealed: [tokenRows],
}
