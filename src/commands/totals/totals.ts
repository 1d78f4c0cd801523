import type { Config } from '../../settings/config.ts'
import type { Database } from '../../database/database.ts'
import { everyMerchant } from '../../merchants/list.ts'
import { rebuildTotals } from '../../refunds/totals/rebuild-totals.ts'
import { whose } from '../reach/whose.ts'
import { withDatabase } from '../reach/with-database.ts'
import { readArguments, text, UsageMistake } from '../terminal/arguments.ts'
import { say } from '../terminal/print.ts'

export const totalsHelp = `florin totals rebuild [--merchant NUMBER]

  Makes the totals of the dashboard's first page anew: what was paid, refunded
  and reversed on each day. They are kept with every payment, so this is for
  after a repair of the database by hand, or an update during which an older
  Florin was still at work. Payments go on meanwhile; a million of them takes
  some seconds. Days of test mode whose payments may be deleted by now
  (KEEP_TEST_DAYS) stay as they are.

  --merchant   of this merchant alone, by its number; of all without it`

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export async function totals(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb !== 'rebuild') throw new UsageMistake('Say what to do: florin totals rebuild')
  const parsed = readArguments(rest, { merchant: { type: 'string' } })
  const work = async (db: Database): Promise<number> => {
    const isOne = text(parsed, 'merchant') !== undefined
    const days = config.KEEP_TEST_DAYS
    const testsGoneBefore = days === 0 ? undefined : new Date(Date.now() - days * dayMs)
    let done = 0
    for await (const number of isOne ? [await whose(db, parsed)] : everyMerchant(db)) {
      await rebuildTotals(db, number, testsGoneBefore)
      done += 1
    }
    return done
  }
  const count = await withDatabase(config, work, { statementTimeoutMs: hourMs })
  say(`Totals of ${count} ${count === 1 ? 'merchant were' : 'merchants were'} made anew.`)
}
