import type { Database } from '../../platform/database/database.ts'
import { listKeys, listMerchants, type MerchantSummary } from '../../core/merchants/list.ts'
import { Stopped } from '../terminal/stopped.ts'
import { merchantNumber, text, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { printLine, visible } from '../terminal/print.ts'
import { ask, canAsk } from '../terminal/prompt.ts'

/** More would push the question off the screen. */
const listedMax = 20

/** The merchant of --merchant. Without it the only merchant, or the one chosen at the terminal. */
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
  return merchants.length > 1 ? oneOf(merchants) : only.merchant
}

/** Asks at a terminal. A script has to say it. */
async function oneOf(merchants: readonly MerchantSummary[]): Promise<number> {
  const rest = merchants.length - listedMax
  const list = [
    ...merchants.slice(0, listedMax).map(({ merchant, name }) => `  ${merchant}  ${visible(name)}`),
    ...(rest > 0 ? [`  and ${rest} more: florin merchant list`] : []),
  ].join('\n')
  const several = `There are several merchants:\n${list}`
  if (!canAsk()) throw new UsageMistake(`${several}\nChoose one with --merchant NUMBER`)
  printLine(several)
  const answer = (await ask('Number of the merchant: ')) ?? ''
  if (answer === '') throw new Stopped('SIGINT', 'Stopped. Nothing was done.')
  const chosen = merchants.find(({ merchant }) => String(merchant) === answer)
  if (!chosen) throw new UsageMistake(`No merchant has the number "${answer}". Nothing was done.`)
  return chosen.merchant
}
