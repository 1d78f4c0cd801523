import { randomInt } from 'node:crypto'
import {
  inTransaction,
  violates,
  within,
  type Database,
  type Queryable,
} from '../../platform/database/database.ts'
import { MadeBefore } from '../../platform/errors/made-before.ts'
import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { cardNumberRule, containsCardNumber } from '../../platform/money/card-numbers.ts'
import { bySystem, changed, recordAct, type Actor, type Facts } from '../audit/audit.ts'
import { changeBrand } from './brand/change-brand.ts'
import { checkIdle } from './times/idle.ts'
import { checkPayWithin } from './times/pay-within.ts'
import { startingFee } from './taken-currencies.ts'
import {
  announceChange,
  findCurrency,
  findMerchant,
  insertMerchant,
  listCurrencies,
  lockMerchant,
  setMerchant,
  switchCurrency,
  upsertCurrency,
  type MerchantRow,
} from './store.ts'

const nameLengthMax = 100

export type NewMerchant = {
  /** Drawn before, for who may ask twice; when it is another's by then, another one is drawn. */
  readonly number?: number | undefined
  readonly name: string
  /** Where alerts to the merchant are sent. */
  readonly email?: string
  readonly liveEnabled?: boolean
  readonly currencies?: readonly string[]
}

export function drawMerchantNumber(): number {
  return randomInt(10_000_000, 100_000_000)
}

/** Returns the merchant's number. */
export async function createMerchant(
  db: Queryable,
  merchant: NewMerchant,
  by: Actor = bySystem,
): Promise<number> {
  const name = checkName(merchant.name)
  const email = merchant.email === undefined ? null : checkEmail(merchant.email)
  return within(db, async (tx) => {
    let id = merchant.number ?? drawMerchantNumber()
    while (!(await insertMerchant(tx, { id, name, email, liveEnabled: merchant.liveEnabled ?? false }))) {
      if (id === merchant.number && (await findMerchant(tx, id))?.name === name) throw new MadeBefore()
      id = drawMerchantNumber()
    }
    const currencies = [...new Set(['GBP', ...(merchant.currencies ?? [])])]
    for (const currency of currencies) await upsertCurrency(tx, id, currency, fixedFee(currency))
    const after = { name, email, live: merchant.liveEnabled ?? false, currencies }
    await recordAct(tx, id, by, { action: 'merchant.created', subject: String(id), after })
    return id
  })
}

/** With the starting fee the first time, and after that with the fee that it had: an operator may have set it. */
export async function enableCurrency(
  db: Database,
  merchantId: number,
  currency: string,
  by: Actor = bySystem,
): Promise<void> {
  const fee = fixedFee(currency)
  await inTransaction(db, async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    const known = await findCurrency(tx, merchantId, currency)
    if (known?.is_on) return
    if (known) await switchCurrency(tx, merchantId, currency, true)
    else await upsertCurrency(tx, merchantId, currency, fee)
    await announceChange(tx, merchantId)
    await recordAct(tx, merchantId, by, {
      action: 'merchant.currency_enabled',
      subject: currency,
      after: { fee_fixed_minor: String(known?.fee_fixed_minor ?? fee) },
    })
  })
}

/** No new live payment is made in it; those that are there go on. One currency stays on. */
export async function disableCurrency(
  db: Database,
  merchantId: number,
  currency: string,
  by: Actor = bySystem,
): Promise<void> {
  const fee = fixedFee(currency)
  await inTransaction(db, async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw new Refusal('not_found', 'Merchant not found')
    const known = await findCurrency(tx, merchantId, currency)
    if (known && !known.is_on) throw new Refusal('not_found', 'This currency is already off')
    if (known && (await listCurrencies(tx, merchantId)).length === 1)
      throw brokenRule('currency', "You can't switch off the last currency: switch another on first")
    // The networks' currencies are enabled without a row.
    if (!known) await upsertCurrency(tx, merchantId, currency, fee)
    await switchCurrency(tx, merchantId, currency, false)
    await announceChange(tx, merchantId)
    await recordAct(tx, merchantId, by, { action: 'merchant.currency_disabled', subject: currency })
  })
}

export type MerchantChanges = {
  readonly name?: string
  readonly email?: string
  readonly liveEnabled?: boolean
  readonly formsTakeSecretKeys?: boolean
  readonly refundFees?: boolean
  readonly payWithinMinutes?: number
  readonly idleMinutes?: number
}

/** All of it or nothing: what one part refuses leaves the other as it was. */
export async function changeShop(
  db: Database,
  merchantId: number,
  set: { readonly merchant: MerchantChanges; readonly brand?: Parameters<typeof changeBrand>[2] | undefined },
  by: Actor = bySystem,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (set.brand) await changeBrand(tx, merchantId, set.brand, by)
    await changeMerchant(tx, merchantId, set.merchant, by)
  })
}

export async function changeMerchant(
  db: Queryable,
  merchantId: number,
  set: MerchantChanges,
  by: Actor = bySystem,
): Promise<void> {
  if (set.email !== undefined) checkEmail(set.email)
  if (set.payWithinMinutes !== undefined) checkPayWithin(set.payWithinMinutes)
  if (set.idleMinutes !== undefined) checkIdle(set.idleMinutes)
  const checked = { ...set, ...(set.name !== undefined && { name: checkName(set.name) }) }
  await within(db, async (tx) => {
    const before = await lockMerchant(tx, merchantId)
    const after = before && (await setMerchant(tx, merchantId, checked).catch(refuseLiveDemo))
    if (!after) throw new Refusal('not_found', 'Merchant not found')
    await announceChange(tx, merchantId)
    const difference = changed(settingsOf(before), settingsOf(after))
    if (!difference) return
    await recordAct(tx, merchantId, by, {
      action: 'merchant.changed',
      subject: String(merchantId),
      ...difference,
    })
  })
}

function refuseLiveDemo(error: unknown): never {
  if (!violates(error, 'merchants_demo_never_live')) throw error
  throw new Refusal('not_allowed', "A demo shop can't go live: create a merchant of your own")
}

function settingsOf(row: MerchantRow): Facts {
  return {
    name: row.name,
    email: row.email,
    live: row.live_enabled,
    forms_take_secret_keys: row.forms_take_secret_keys,
    refund_fees: row.refund_fees,
    pay_within_minutes: row.pay_within_minutes,
    idle_minutes: row.idle_minutes,
  }
}

function checkName(text: string): string {
  const name = text.trim()
  if (name.length < 1 || name.length > nameLengthMax) {
    throw brokenRule('name', `name must be 1 to ${nameLengthMax} characters`)
  }
  if (containsCardNumber(name)) throw brokenRule('name', `name ${cardNumberRule}`)
  return name
}

function checkEmail(email: string): string {
  if (email.length <= 254 && /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(email)) return email
  throw brokenRule('email', 'email must be one e-mail address')
}

function fixedFee(currency: string): bigint {
  const fee = startingFee(currency)
  if (fee !== undefined) return fee
  throw brokenRule(
    'currency',
    `Invalid currency, ${currency} is not supported: use an ISO 4217 code such as GBP`,
  )
}
