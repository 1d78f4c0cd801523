import { inTransaction } from '../../../platform/database/database.ts'
import type { Logger } from '../../../platform/http/log.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { visitEach } from '../../../platform/jobs/visit-due.ts'
import { readMerchant } from '../../../core/merchants/authenticate.ts'
import { networkLabel } from '../../../core/networks/network-label.ts'
import type { People } from '../../../dashboard/people/people.ts'
import { findMerchantsWithReaders, listReaders } from '../../../dashboard/people/team/monthly-readers.ts'
import { readMissingFees, readMoney, sumMoney, type CurrencyMoney } from '../figures/money-totals.ts'
import { lastMonths } from './months.ts'
import { isEmpty, summaryEmail, type CurrencySum } from './summary-email.ts'
import { claimMonth } from './summary-store.ts'

// E-mails each team's readers the figures of the month that is over: of live mode, once, and not for a month in which
// nothing happened. The month's row and the e-mails are one commit.

const everyMs = 3_600_000
const merchantsMax = 1_000

type Sending = {
  readonly people: People
  /** With the names that people know them by. */
  readonly networks: readonly { readonly name: string; readonly label: string }[]
}

export function monthlySummariesJob(sending: Sending & { readonly log: Logger }): Job {
  const { people, log } = sending
  return {
    name: 'monthly summaries',
    everyMs,
    run: async () => {
      await visitEach({
        log,
        what: 'monthly summaries',
        max: merchantsMax,
        look: async () => findMerchantsWithReaders(people.db, merchantsMax),
        visit: async (merchantId) => sendSummary(sending, merchantId),
        failed: "Could not write a merchant's monthly summary; will retry",
      })
      // Whatever was found, an hour is soon enough for the next look.
      return 0
    },
  }
}

/** Returns how many e-mails were written. */
export async function sendSummary({ people, networks }: Sending, merchantId: number): Promise<number> {
  const { db } = people
  const merchant = await readMerchant(db, merchantId)
  if (!merchant?.liveEnabled) return 0
  const { timeZone } = merchant.brand
  const months = lastMonths(people.now(), timeZone)
  const scope = { merchantId, mode: 'live', timeZone } as const
  const over = await readMoney(db, { ...scope, ...months.over })
  const before = await readMoney(db, { ...scope, ...months.before })
  const missing = await readMissingFees(db, { ...scope, ...months.over })
  const labelOf = (network: string): string => networkLabel(networks, network)
  const facts = { merchantId, merchantName: merchant.name, baseUrl: people.baseUrl, months }
  const summary = { ...facts, over: over.map(sumOf), before: before.map(sumOf), missing, labelOf }
  return inTransaction(db, async (tx) => {
    if (!(await claimMonth(tx, merchantId, months.month)) || isEmpty(summary.over)) return 0
    const readers = await listReaders(tx, merchantId)
    for (const reader of readers) await people.sendEmail(tx, summaryEmail(summary, reader))
    return readers.length
  })
}

function sumOf({ currency, days }: CurrencyMoney): CurrencySum {
  return { currency, sum: sumMoney(days) }
}
