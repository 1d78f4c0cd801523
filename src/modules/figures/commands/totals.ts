import type { Config } from '../../../platform/settings/config.ts'
import type { Database } from '../../../platform/database/database.ts'
import { everyMerchant } from '../../../core/merchants/list.ts'
import { rebuildTotals } from '../../../core/payments/daily-totals/rebuild-totals.ts'
import { whose } from '../../../cli/reach/whose.ts'
import { withDatabase } from '../../../cli/reach/with-database.ts'
import type { Lists } from '../../../cli/terminal/command.ts'
import { readArguments, text, UsageMistake } from '../../../cli/terminal/arguments.ts'
import { printLine } from '../../../cli/terminal/print.ts'

export const totalsHelp = `florin totals rebuild [--merchant NUMBER]

  Rebuilds the daily totals on the dashboard's first page: amounts paid,
  refunded and reversed per day. Florin updates them with every payment, so you
  only need this after repairing the database by hand, or after an update during
  which an older Florin was still running. It can run while payments come in and
  takes some seconds per million payments. Test days whose payments may already
  be deleted (KEEP_TEST_DAYS) stay unchanged.

  --merchant   only this merchant, by its number; default: all`

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export async function totals(config: Config, args: string[], lists: Lists): Promise<void> {
  const [verb, ...rest] = args
  if (verb !== 'rebuild') throw new UsageMistake('Name a subcommand: florin totals rebuild')
  const parsed = readArguments(rest, { merchant: { type: 'string' } })
  const recounts = await lists.recounts()
  const work = async (db: Database): Promise<number> => {
    const isOne = text(parsed, 'merchant') !== undefined
    const days = config.KEEP_TEST_DAYS
    const testsGoneBefore = days === 0 ? undefined : new Date(Date.now() - days * dayMs)
    let done = 0
    for await (const number of isOne ? [await whose(db, parsed)] : everyMerchant(db)) {
      await rebuildTotals(db, number, recounts, testsGoneBefore)
      for (const { sums } of recounts) await sums?.(db, number)
      done += 1
    }
    return done
  }
  const count = await withDatabase(config, work, { statementTimeoutMs: hourMs })
  printLine(`Totals of ${count} ${count === 1 ? 'merchant were' : 'merchants were'} made anew.`)
}
