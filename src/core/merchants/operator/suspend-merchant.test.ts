import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, openWitness, type WitnessedCall, type Witness } from '../../../../test/support/witness.ts'
import { readMerchant } from '../authenticate.ts'
import { createMerchant } from '../create-merchant.ts'
import { resumeMerchant, suspendMerchant } from './suspend-merchant.ts'

let witness: Witness
before(async () => {
  witness = await openWitness()
})
after(() => witness.close())

test('suspend and resume are idempotent', async () => {
  const { db } = witness
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const neighbour = await createMerchant(db, { name: 'Kiosk' })
  const isStopped = async (id: number) => (await readMerchant(db, id))?.isSuspended
  const nothing: WitnessedCall = { acts: [], isTold: false }
  const steps = [
    [resumeMerchant, undefined],
    [suspendMerchant, 'merchant.suspended'],
    [suspendMerchant, undefined],
    [resumeMerchant, 'merchant.resumed'],
  ] as const
  for (const [change, action] of steps) {
    const seen = await witness.see(merchantId, async () => change(db, merchantId, ada))
    const act = { subject: String(merchantId), actor: 'ada', before: null, after: null }
    assert.deepEqual(seen, action ? { acts: [{ action, ...act }], isTold: true } : nothing)
    assert.equal(await isStopped(merchantId), change === suspendMerchant)
    assert.equal(await isStopped(neighbour), false)
  }
  for (const change of [suspendMerchant, resumeMerchant])
    await assert.rejects(change(db, 10_000_000, ada), { code: 'not_found', message: 'Merchant not found' })
})
