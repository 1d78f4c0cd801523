import type { Config } from '../../../platform/settings/config.ts'
import { keyHelp } from '../../../cli/reach/secret-key.ts'
import { UsageMistake } from '../../../cli/terminal/arguments.ts'
import { accountsOfBookkeeping, exportBookkeeping, matchBankStatement } from './bookkeeping.ts'
import { listPayouts, showPayout } from './read-payouts.ts'

export const payoutsHelp = `florin payouts list [--status STATUS] [--limit 25] [--json]
florin payouts show PAYOUT [--limit 25] [--json]
florin payouts export --from DAY --to DAY [--format csv|datev|movements]
                      [--currency EUR] [--output FILE] [--merchant NUMBER]
                      [--mode test|live]
florin payouts match FILE [--currency EUR] [--merchant NUMBER]
                     [--mode test|live] [--json]
florin payouts accounts [NAME=NUMBER ...] [--merchant NUMBER] [--json]

  list and show call the Florin at BASE_URL, as your own program would: the key
  decides the mode. show prints what is in a payout, --limit lines of it.

  export writes what networks booked in a period: payments, refunds, fees and
  payouts. csv is for any program; movements has what Home adds up, a row for
  each payment, refund, dispute and fee; datev is a batch for DATEV (EXTF), in
  one currency. Days are those of the shop's time zone.

  match reads a bank statement, camt.053 or CSV, and marks each payout as seen
  at the bank: by its reference, then by amount and date. It lists what is left
  over on either side, and each row of the file that it could not read. The
  same file again changes nothing.

  accounts prints the account numbers that exports book to, and sets them:
  florin payouts accounts sales=8400 fees=4970 clearing_stripe=1361
  "" takes one away. Names: sales, fees, fee_tax, other, bank,
  clearing_NETWORK, consultant_number, client_number, fiscal_year_month,
  account_length, chart

  --status     announced|on_its_way|arrived|failed|returned
  --output     write to this file instead of the terminal
  --currency   of the export; of a bank's CSV that names none
  --merchant   the number of the merchant; may be left out while there is only
               one

  ${keyHelp}`

export async function payouts(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'list') return listPayouts(config, rest)
  if (verb === 'show') return showPayout(config, rest)
  if (verb === 'export') return exportBookkeeping(config, rest)
  if (verb === 'match') return matchBankStatement(config, rest)
  if (verb === 'accounts') return accountsOfBookkeeping(config, rest)
  throw new UsageMistake('Name a subcommand: florin payouts list, show, export, match or accounts')
}
