import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, openWitness, type WitnessedCall, type Witness } from '../../../../test/support/witness.ts'
import { readMerchant } from '../authenticate.ts'
import { createMerchant, disableCurrency } from '../create-merchant.ts'
import { changeFeePlan, type FeePlan } from './change-fee-plan.ts'

let witness: Witness
before(async () => {
  witness = await openWitness()
})
after(() => witness.close())

const nothing: WitnessedCall = { acts: [], isTold: false }

function plan(basisPoints: number, fixed: Readonly<Record<string, bigint>> = {}): FeePlan {
  return { basisPoints, fixed: new Map(Object.entries(fixed)) }
}

async function newShop(): Promise<number> {
  return createMerchant(witness.db, { name: 'Corner shop', currencies: ['EUR', 'JPY'] })
}

async function feesOf(merchantId: number): Promise<object> {
  const merchant = (await readMerchant(witness.db, merchantId)) ?? assert.fail('no merchant')
  return { share: merchant.feeBasisPoints, ...Object.fromEntries(merchant.currencies) }
}

async function change(merchantId: number, wanted: FeePlan): Promise<WitnessedCall> {
  return witness.see(merchantId, async () => changeFeePlan(witness.db, merchantId, wanted, ada))
}

test('a fee plan changes the share and the named currencies, and the audit log shows what is new', async () => {
  const merchantId = await newShop()
  const steps: readonly (readonly [FeePlan, was: object, is: object, fees: object])[] = [
    [
      plan(200, { EUR: 55n, GBP: 20n }),
      { basis_points: 140, fixed_eur: '20' },
      { basis_points: 200, fixed_eur: '55' },
      { share: 200, EUR: 55n, GBP: 20n, JPY: 0n },
    ],
    [
      plan(0, { EUR: 0n, JPY: 1_000_000n }),
      { basis_points: 200, fixed_eur: '55', fixed_jpy: '0' },
      { basis_points: 0, fixed_eur: '0', fixed_jpy: '1000000' },
      { share: 0, EUR: 0n, GBP: 20n, JPY: 1_000_000n },
    ],
    [
      plan(10_000),
      { basis_points: 0 },
      { basis_points: 10_000 },
      { share: 10_000, EUR: 0n, GBP: 20n, JPY: 1_000_000n },
    ],
    [
      plan(10_000, { GBP: 1n }),
      { fixed_gbp: '20' },
      { fixed_gbp: '1' },
      { share: 10_000, EUR: 0n, GBP: 1n, JPY: 1_000_000n },
    ],
  ]
  for (const [wanted, was, is, fees] of steps) {
    const act = { action: 'merchant.fee_plan_changed', subject: String(merchantId), actor: 'ada' }
    assert.deepEqual(await change(merchantId, wanted), {
      acts: [{ ...act, before: was, after: is }],
      isTold: true,
    })
    assert.deepEqual(await feesOf(merchantId), fees)
    assert.deepEqual(await change(merchantId, wanted), nothing)
  }
})

test('an invalid plan is refused with its field, and nothing changes', async () => {
  const merchantId = await newShop()
  await disableCurrency(witness.db, merchantId, 'JPY')
  const share = 'The percentage must be 0 to 100 with at most two decimals'
  const euro = 'The fixed fee in EUR is too large or negative'
  const wrong: readonly (readonly [FeePlan, field: string, message: string])[] = [
    [plan(-1), 'share', share],
    [plan(10_001), 'share', share],
    [plan(1.5), 'share', share],
    [plan(Number.NaN), 'share', share],
    [plan(1, { GBP: 1n, EUR: -1n }), 'fixed_EUR', euro],
    [plan(1, { GBP: 1n, EUR: 1_000_001n }), 'fixed_EUR', euro],
    [plan(1, { GBP: 1n, JPY: 1n }), 'fixed_JPY', 'JPY is not switched on'],
    [plan(1, { GBP: 1n, USD: 1n }), 'fixed_USD', 'USD is not switched on'],
  ]
  const seen = await witness.see(merchantId, async () => {
    for (const [wanted, field, message] of wrong)
      await assert.rejects(changeFeePlan(witness.db, merchantId, wanted, ada), {
        code: 'validation_failed',
        message,
        errors: { [field]: [message] },
      })
  })
  assert.deepEqual(seen, nothing)
  assert.deepEqual(await feesOf(merchantId), { share: 140, EUR: 20n, GBP: 20n })
  await assert.rejects(changeFeePlan(witness.db, 10_000_000, plan(1), ada), {
    code: 'not_found',
    message: 'Merchant not found',
  })
})
