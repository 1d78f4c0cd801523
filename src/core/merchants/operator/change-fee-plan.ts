import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { changed, recordAct, type Actor, type Facts } from '../../audit/audit.ts'
import { announceChange, listCurrencies, lockMerchant } from '../store.ts'
import { setBasisPoints, setFixedFee } from './operator-store.ts'

// A merchant's fees per payment: a share of it and a fixed part in each currency. Existing payments keep the fee they
// were created with.

export type FeePlan = {
  /** Hundredths of a percent. */
  readonly basisPoints: number
  /** In minor units, of currencies that are switched on. */
  readonly fixed: ReadonlyMap<string, bigint>
}

const basisPointsMax = 10_000
const fixedMax = 1_000_000n

export async function changeFeePlan(
  db: Database,
  merchantId: number,
  plan: FeePlan,
  by: Actor,
): Promise<void> {
  checkPlan(plan)
  await inTransaction(db, async (tx) => {
    const merchant = await lockMerchant(tx, merchantId)
    if (!merchant) throw new Refusal('not_found', 'Merchant not found')
    const currencies = await listCurrencies(tx, merchantId)
    const unknown = [...plan.fixed.keys()].find((code) =>
      currencies.every(({ currency }) => currency !== code),
    )
    if (unknown !== undefined) throw brokenRule(`fixed_${unknown}`, `${unknown} is not switched on`)
    const before = auditFacts(
      merchant.fee_basis_points,
      currencies.map(({ currency, fee_fixed_minor }) => [currency, fee_fixed_minor]),
    )
    const after = { ...before, ...auditFacts(plan.basisPoints, [...plan.fixed]) }
    const difference = changed(before, after)
    if (!difference) return
    await setBasisPoints(tx, merchantId, plan.basisPoints)
    for (const [currency, minor] of plan.fixed) await setFixedFee(tx, merchantId, currency, minor)
    await announceChange(tx, merchantId)
    await recordAct(tx, merchantId, by, {
      action: 'merchant.fee_plan_changed',
      subject: String(merchantId),
      ...difference,
    })
  })
}

function checkPlan({ basisPoints, fixed }: FeePlan): void {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > basisPointsMax)
    throw brokenRule('share', 'The percentage must be 0 to 100 with at most two decimals')
  for (const [currency, minor] of fixed)
    if (minor < 0n || minor > fixedMax)
      throw brokenRule(`fixed_${currency}`, `The fixed fee in ${currency} is too large or negative`)
}

function auditFacts(basisPoints: number, fixed: readonly (readonly [string, bigint])[]): Facts {
  return {
    basis_points: basisPoints,
    ...Object.fromEntries(
      fixed.map(([currency, minor]) => [`fixed_${currency.toLowerCase()}`, String(minor)]),
    ),
  }
}
