import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { suspendMerchant } from '../../src/core/merchants/operator/suspend-merchant.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { runFlorin } from '../support/run-florin.ts'
import { cards } from '../support/till.ts'
import { actionsOf } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// What stops when an operator suspends a merchant, and what goes on.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const florin = async (...args: string[]) =>
  runFlorin(['merchant', ...args], { DATABASE_URL: house.databaseUrl })

async function create(key = house.secretKey) {
  return post(`${house.url}/api/payment`, paymentRequest(), key)
}

async function screen(digits: string): Promise<string> {
  const answer = await call(`${house.url}/payment/${digits}`)
  return answer.text
}

test('a suspended merchant’s keys are refused with the reason, no new payment starts, and running ones finish', async () => {
  const open = await createPayment(house)
  const challenged = await createPayment(house)
  const begun = await house.app.payer.pay({ ...challenged, mode: 'test' }, cards.challenge)
  assert.equal(begun.kind, 'action_required')
  assert.equal((await create()).status, 201, 'the key is remembered by this server')

  const unasked = await florin('suspend', String(house.merchantId))
  assert.equal(unasked.code, 64)
  assert.match(unasked.err, /--yes/)
  const said = await florin('suspend', String(house.merchantId), '--yes')
  assert.equal(said.code, 0, said.err)
  assert.match((await florin('list')).out, /suspended/)
  await waitUntil('the key is refused', async () => (await create()).status === 403)

  for (const key of [house.secretKey, house.liveKey]) {
    const { status, json } = await create(key)
    assert.deepEqual([status, json.code], [403, 'merchant_suspended'])
    assert.match(json.message, /suspended; contact the operator/)
  }
  const projects = await call(`${house.url}/api/v1/projects`, { key: house.apiKey })
  assert.equal(projects.json.code, 'merchant_suspended')

  const page = await screen(`${open.merchantId}${open.number}`)
  assert.match(page, /Payment is not possible right now/)
  assert.match(page, /No money has been taken/)
  const pressed = await house.app.payer.pay({ ...open, mode: 'test' }, cards.good)
  assert.equal(pressed.kind, 'unavailable', 'nor by a page that was open before')

  const ended = await house.app.payer.answerChallenge(challenged, 1, 'approve')
  assert.equal(ended.kind, 'paid', 'an attempt that was under way ends')
  assert.match(await screen(`${challenged.merchantId}${challenged.number}`), /Paid/)

  assert.equal((await florin('resume', String(house.merchantId))).code, 0)
  await waitUntil('the key is taken again', async () => (await create()).status === 201)
  assert.equal((await house.app.payer.pay({ ...open, mode: 'test' }, cards.good)).kind, 'paid')
})

test('suspending is audited once, however often it is repeated', async () => {
  const count = async (action: string): Promise<number> =>
    (await actionsOf(house)).filter((one) => one === action).length
  const earlier = await count('merchant.suspended')
  await suspendMerchant(house.db, house.merchantId, bySystem)
  await suspendMerchant(house.db, house.merchantId, bySystem)
  assert.equal(await count('merchant.suspended'), earlier + 1)
  assert.equal((await florin('resume', String(house.merchantId))).code, 0)
  assert.equal(await count('merchant.resumed'), earlier + 1)
  await assert.rejects(suspendMerchant(house.db, 10_000_001, bySystem), /Merchant not found/)
})
