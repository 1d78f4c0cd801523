import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import { asksForEmail, hasReceipt, isEmailOf, makeReceiptProofs } from './old-receipt.ts'

const paidAt = Date.parse('2026-11-15T14:05:00Z')
const halfYear = 180 * 86_400_000

test('a receipt older than half a year asks for the e-mail address before it opens', () => {
  const asks = (ms: number, changes: ModelChanges = {}): boolean =>
    asksForEmail(makePageModel({ ...changes, page: { now: new Date(paidAt + ms), ...changes.page } }))
  assert.equal(asks(halfYear), false)
  assert.equal(asks(halfYear + 1), true)
  assert.equal(asks(halfYear + 1, { state: 'refunded' }), true)
  assert.equal(asks(halfYear + 1, { state: 'cancelled' }), false)
  assert.equal(asks(halfYear + 1, { page: { receiptProof: 'p' } }), false)
})

test('a receipt exists wherever money was taken, even if it was refunded', () => {
  const states = ['pending', 'success', 'failed', 'cancelled', 'expired', 'refunded', 'reversed'] as const
  assert.deepEqual(
    states.filter((state) => hasReceipt(makePageModel({ state }))),
    ['success', 'refunded', 'reversed'],
  )
})

test('an e-mail address is recognised however people type it', () => {
  const model = makePageModel({ email: 'Ada.Müller@shop.example' })
  for (const typed of ['ada.müller@shop.example', ' ADA.MU\u0308LLER@SHOP.EXAMPLE '])
    assert.equal(isEmailOf(model, typed), true, typed)
  for (const typed of ['', 'ada', 'eve@shop.example']) assert.equal(isEmailOf(model, typed), false, typed)
})

test('a proof is valid for one payment and half an hour', async () => {
  let nowMs = paidAt
  const sign = async (text: string): Promise<string> => Buffer.from(text).toString('hex')
  const proofs = makeReceiptProofs(sign, () => new Date(nowMs))
  const proof = await proofs.make('1')
  nowMs = paidAt + 30 * 60_000
  assert.equal(await proofs.isGood('1', proof), true)
  assert.equal(await proofs.isGood('2', proof), false)
  nowMs += 1
  assert.equal(await proofs.isGood('1', proof), false)
  const later = proof.replace(/^\w+/, (until) => (Number.parseInt(until, 36) + 60_000).toString(36))
  for (const forged of [
    '',
    '.',
    later,
    `${proof}0`,
    `zzzzzzzzzzz.${proof.split('.')[1]}`,
    `-1.${proof.split('.')[1]}`,
  ])
    assert.equal(await proofs.isGood('1', forged), false, forged)
})
