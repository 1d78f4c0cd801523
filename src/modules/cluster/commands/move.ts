import type { Config } from '../../../platform/settings/config.ts'
import { moveMerchant } from '../move-merchant.ts'
import { listMerchants } from '../../../core/merchants/list.ts'
import { withDatabase, withDatabaseUrl } from '../../../cli/reach/with-database.ts'
import { flag, merchantNumber, readArguments, text, UsageMistake } from '../../../cli/terminal/arguments.ts'
import { print } from '../../../cli/terminal/print.ts'

export const moveHelp = `  move brings a merchant to another node of a cluster, such as one that has
  grown too big for its node (docs/scaling.md). Writes of this merchant, and of
  others in the same shard, wait until the move is done.`

export async function move(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { to: { type: 'string' }, json: { type: 'boolean' } }, 1)
  const number = merchantNumber(parsed.words[0])
  const to = text(parsed, 'to')
  if (number === undefined || to === undefined || !/^.+:\d+$/.test(to))
    throw new UsageMistake('Name a merchant and a node: florin merchant move 12345678 --to HOST:PORT')
  const known = await withDatabase(config, (db) => listMerchants(db))
  if (!known.some((row) => row.merchant === number))
    throw new UsageMistake(`Merchant ${number} not found; see florin merchant list`)
  const isJson = flag(parsed, 'json')
  const moved = await withDatabaseUrl(
    config,
    (url) => moveMerchant(url, number, to, (step) => isJson || print(step)),
    { asOwner: true },
  )
  if (isJson) return print(JSON.stringify({ merchant: number, ...moved }))
  print(moved.from === to ? `Merchant ${number} is on ${to}` : `Merchant ${number} is now on ${to}`)
}
