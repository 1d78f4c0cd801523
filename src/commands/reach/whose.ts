import type { Database } from '../../database/database.ts'
import { listKeys, listMerchants } from '../../merchants/list.ts'
import { merchantNumber, text, UsageMistake, type Parsed } from '../terminal/arguments.ts'

/** The merchant of --merchant; it may be left out while there is only one. */
export async function whose(db: Database, parsed: Parsed): Promise<number> {
  const given = text(parsed, 'merchant')
  if (given !== undefined) {
    const number = merchantNumber(given)
    if (number === undefined)
      throw new UsageMistake(`--merchant must be the merchant's 8-digit number, but is "${given}"`)
    // For its refusal of a merchant that does not exist.
    await listKeys(db, number)
    return number
  }
  const merchants = await listMerchants(db)
  const [only] = merchants
  if (only === undefined)
    throw new UsageMistake('No merchants yet: florin merchant create --name "Corner shop"')
  if (merchants.length > 1)
    throw new UsageMistake(
      'There are several merchants: choose one with --merchant NUMBER (florin merchant list)',
    )
  return only.merchant
}
