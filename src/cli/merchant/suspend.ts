import type { Config } from '../../platform/settings/config.ts'
import { resumeMerchant, suspendMerchant } from '../../core/merchants/operator/suspend-merchant.ts'
import { byCommandLine } from '../reach/who.ts'
import { withDatabase } from '../reach/with-database.ts'
import { confirmed } from '../terminal/confirmed.ts'
import { merchantNumber, readArguments, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { print } from '../terminal/print.ts'

export async function suspend(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { yes: { type: 'boolean' } }, 1)
  const number = numberIn(parsed, 'suspend')
  await confirmed(parsed, `Refuse all keys and new payments of merchant ${number}?`)
  await withDatabase(config, async (db) => suspendMerchant(db, number, byCommandLine()))
  print(
    `Merchant ${number} is suspended. Payments in progress will finish. To undo: florin merchant resume ${number}`,
  )
}

export async function resume(config: Config, args: string[]): Promise<void> {
  const number = numberIn(readArguments(args, {}, 1), 'resume')
  await withDatabase(config, async (db) => resumeMerchant(db, number, byCommandLine()))
  print(`Merchant ${number} can take payments again.`)
}

function numberIn(parsed: Parsed, verb: string): number {
  const number = merchantNumber(parsed.words[0])
  if (number === undefined)
    throw new UsageMistake(`Give the merchant's 8-digit number: florin merchant ${verb} 12345678`)
  return number
}
