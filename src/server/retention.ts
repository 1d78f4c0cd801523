import { oldEvents } from '../callbacks/old-events.ts'
import type { Config } from '../settings/config.ts'
import type { Kept, Pruning } from '../privacy/pruning.ts'
import { everyMerchant } from '../merchants/list.ts'
import { erasePayments } from '../privacy/customers.ts'
import { oldTests } from '../privacy/test-rows.ts'
import { oldMail, oldNotifications } from '../notifications/keep/prune.ts'
import { findNamedPayments } from '../payments/personal/personal.ts'
import { personalRooms } from './personal-rooms.ts'
import { testRooms } from './test-rooms.ts'

/** Everything that is kept for a time and then goes. A room adds a line. */
export function retentionOf(config: Config): Kept[] {
  return [
    { pruning: oldNotifications, days: config.KEEP_NOTIFICATION_DAYS },
    { pruning: oldMail, days: config.KEEP_MAIL_DAYS },
    { pruning: oldEvents, days: config.KEEP_CALLBACK_DAYS },
    { pruning: oldTests(testRooms), days: config.KEEP_TEST_DAYS },
    { pruning: oldPersons, days: config.KEEP_PERSONAL_DAYS },
  ]
}

/** Payments stay, and who paid goes. Some at a time, as each takes its notifications and refunds with it. */
const paymentsAtOnce = 50

const oldPersons: Pruning = {
  name: 'who paid',
  async findMerchants(db, before, max) {
    const found: number[] = []
    for await (const merchantId of everyMerchant(db)) {
      if (found.length >= max) break
      if ((await findNamedPayments(db, { merchantId, before, max: 1 })).length > 0) found.push(merchantId)
    }
    return found
  },
  async prune(db, merchantId, before) {
    const payments = await findNamedPayments(db, { merchantId, before, max: paymentsAtOnce })
    return erasePayments(db, personalRooms.rows, merchantId, payments)
  },
}
