import type { PersonalRows } from '../../core/privacy/personal-rows.ts'
import type { RoomData } from '../../core/privacy/room-data.ts'
import { deleteRefundsOf, findUnderWay, lockTexts, readRefunds, replaceTexts } from './data-store.ts'

/** The merchant's reason may name the customer. */
export const personalRefunds: PersonalRows = {
  what: 'refunds',
  read: async (db, { merchantId, numbers }) => readRefunds(db, merchantId, numbers),
  async erase(tx, { merchantId, numbers, redact }) {
    const texts = await lockTexts(tx, merchantId, numbers)
    await replaceTexts(
      tx,
      merchantId,
      texts.map(({ id, reason, failure }) => ({
        id,
        reason: reason === null ? null : redact(reason).slice(0, reasonMax),
        failure: failure === null ? null : redact(failure),
      })),
    )
    return texts.length
  },
}

/** As in the table: the replacement may be longer than the name. */
const reasonMax = 255

export const refundData: RoomData = {
  personal: [personalRefunds],
  tests: { findOpen: findUnderWay, delete: deleteRefundsOf },
}
