import { oldEvents } from '../core/callbacks/old-events.ts'
import type { Config } from '../platform/settings/config.ts'
import { oldEntries } from '../core/audit/old-entries.ts'
import type { Kept, Pruning } from '../platform/jobs/pruning.ts'
import { everyMerchant } from '../core/merchants/list.ts'
import { erasePayments } from '../core/privacy/customers.ts'
import { oldTests } from '../core/privacy/test-rows.ts'
import { oldMail, oldNotifications } from '../core/notifications/data/data.ts'
import { forgetAfterMs } from '../core/payments/card-testing/limits.ts'
import { oldHashes } from '../core/payments/card-testing/old-hashes.ts'
import { findNamedPayments } from '../core/payments/data/personal.ts'
import { allModules } from './modules.ts'
import { personalRooms, testRooms } from './rooms.ts'

const dayMs = 24 * 3_600_000

/** Everything that is kept for a time and then deleted. Modules bring theirs. */
export function retentionOf(config: Config): Kept[] {
  return [
    { pruning: oldNotifications, days: orForEver(config.KEEP_NOTIFICATION_DAYS) },
    { pruning: oldMail, days: orForEver(config.KEEP_MAIL_DAYS) },
    { pruning: oldEvents, days: orForEver(config.KEEP_CALLBACK_DAYS) },
    { pruning: oldTests(testRooms), days: orForEver(config.KEEP_TEST_DAYS) },
    { pruning: oldPersons, days: orForEver(config.KEEP_PERSONAL_DAYS) },
    { pruning: oldEntries, days: config.AUDIT_DAYS },
    { pruning: oldHashes, days: forgetAfterMs / dayMs },
    ...allModules.flatMap(({ kept }) => kept?.(config) ?? []),
  ]
}

function orForEver(days: number): number | undefined {
  return days === 0 ? undefined : days
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
