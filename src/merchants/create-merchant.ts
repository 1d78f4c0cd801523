import { randomInt } from 'node:crypto'
import { inTransaction, type Database } from '../database/database.ts'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { cardNumberRule, containsCardNumber } from '../money/card-numbers.ts'
import { decimalsOf } from '../money/currencies.ts'
import { announceChange, findMerchant, insertMerchant, setMerchant, upsertCurrency } from './store.ts'

const nameLengthMax = 100
const fixedFeeHundredths = 20n // 0.20 of the currency's major unit, from the start

export type NewMerchant = {
  readonly name: string
  /** Where the merchant is told of trouble. */
  readonly email?: string
  readonly liveEnabled?: boolean
  readonly currencies?: readonly string[]
}

/** Returns the merchant's number. */
export async function createMerchant(db: Database, merchant: NewMerchant): Promise<number> {
  const name = merchant.name.trim()
  if (name.length < 1 || name.length > nameLengthMax) {
    throw brokenRule('name', `name must be 1 to ${nameLengthMax} characters`)
  }
  if (containsCardNumber(name)) throw brokenRule('name', `name ${cardNumberRule}`)
  const email = merchant.email === undefined ? null : checkEmail(merchant.email)
  return inTransaction(db, async (tx) => {
    let id = randomInt(10_000_000, 100_000_000)
    while (!(await insertMerchant(tx, { id, name, email, liveEnabled: merchant.liveEnabled ?? false }))) {
      id = randomInt(10_000_000, 100_000_000)
    }
    for (const currency of new Set(['GBP', ...(merchant.currencies ?? [])])) {
      await upsertCurrency(tx, id, currency, fixedFee(currency))
    }
    return id
  })
}

/** Switches a currency on for a merchant, with the starting fee. */
export async function enableCurrency(db: Database, merchantId: number, currency: string): Promise<void> {
  const fee = fixedFee(currency)
  await inTransaction(db, async (tx) => {
    if (!(await findMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    await upsertCurrency(tx, merchantId, currency, fee)
    await announceChange(tx, merchantId)
  })
}

export async function changeMerchant(
  db: Database,
  merchantId: number,
  set: { email?: string; liveEnabled?: boolean; formsTakeSecretKeys?: boolean },
): Promise<void> {
  if (set.email !== undefined) checkEmail(set.email)
  await inTransaction(db, async (tx) => {
    if (!(await setMerchant(tx, merchantId, set))) throw new Refusal('not_found', 'Merchant not found')
    await announceChange(tx, merchantId)
  })
}

function checkEmail(email: string): string {
  if (email.length <= 254 && /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(email)) return email
  throw brokenRule('email', 'email must be one e-mail address')
}

function fixedFee(currency: string): bigint {
  const decimals = decimalsOf(currency)
  if (decimals === undefined) {
    throw brokenRule('currency', `Invalid currency, ${currency} is not supported`)
  }
  return (fixedFeeHundredths * 10n ** BigInt(decimals)) / 100n
}
