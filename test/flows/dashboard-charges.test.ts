import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { attemptRow, insertRows } from '../support/rows.ts'
import { actionsOf, newPerson, signedIn, Visitor } from '../support/visitor.ts'

// Charges that the rules don't decide, in the dashboard.

let house: House
let owner: Visitor
let name: string
before(async () => {
  house = await openHouse()
  const person = await newPerson(house, { role: 'owner' })
  ;({ name } = person)
  owner = new Visitor(house)
  await owner.signIn(person)
})
after(() => house.close())

/** A payment of £10.00 with a charge of £7.00. */
async function charged(changes: Record<string, unknown> = {}): Promise<string> {
  const { number, merchantId } = await createPayment(house, { amount: '10.00' })
  const charge = { state: 'held', charged_minor: 700, charged_currency: 'GBP', charge_reference: 'ch_7' }
  const attempt = {
    merchant_id: merchantId,
    number,
    account_id: 'acc_1',
    method: 'card',
    ...charge,
    ...changes,
  }
  await insertRows(house.db, 'attempts', [attemptRow(attempt)])
  return `/dashboard/${merchantId}/test/payments/${number}`
}

test('a held charge is accepted on a page of its own, and the timeline says who did it', async () => {
  const path = await charged()
  assert.match(
    (await owner.get(path)).text,
    /The network charged another amount[^]*&#163;7\.00 instead of &#163;10\.00/,
  )
  assert.match(
    (await owner.get(`${path}/charge`)).text,
    /Accept it as paid in part[^]*Accept &#163;7\.00[^]*Send it back/,
  )
  const sent = await Promise.all(
    [1, 2].map(async () => owner.post(`${path}/charge/do/accept`, { attempt: '1' })),
  )
  for (const { status, to } of sent) assert.deepEqual([status, to], [303, path])
  const { text } = await owner.get(path)
  assert.match(text, /<h1>&#163;7\.00/)
  assert.match(text, new RegExp(`was accepted as it is[^]*By ${name}`))
  assert.doesNotMatch(text, /Decide what happens/)
  assert.match((await owner.get(`${path}/charge`)).text, /Nothing to decide/)
})

test('a held charge in another currency can only be sent back', async () => {
  const path = await charged({ charged_currency: 'EUR' })
  const { text } = await owner.get(`${path}/charge`)
  assert.match(text, /another currency/)
  assert.doesNotMatch(text, /do\/accept/)
  assert.equal((await owner.post(`${path}/charge/do/accept`, { attempt: '1' })).status, 400)
  assert.equal((await owner.post(`${path}/charge/do/send-back`, { attempt: '1' })).status, 303)
  assert.match((await owner.get(path)).text, new RegExp(`is being sent back[^]*By ${name}`))
})

test('a surplus charge that is stuck is asked for again, or marked as returned', async () => {
  const path = await charged({ state: 'surplus', next_check_at: null })
  assert.match((await owner.get(path)).text, /A second charge wasn(?:’|&#8217;)t returned/)
  assert.equal((await owner.post(`${path}/charge/do/returned`, { attempt: '1' })).status, 303)
  assert.match((await owner.get(path)).text, new RegExp(`was returned to the customer[^]*By ${name}`))
  const other = await charged({ state: 'surplus', next_check_at: null })
  assert.equal((await owner.post(`${other}/charge/do/return`, { attempt: '1' })).status, 303)
  assert.doesNotMatch((await owner.get(other)).text, /Decide what happens/)
  const actions = await actionsOf(house)
  for (const action of ['accepted', 'sent_back', 'return_asked', 'marked_returned'])
    assert.ok(actions.includes(`charge.${action}`), action)
})

test('a developer, a bookkeeper and a viewer see the charge and decide nothing', async () => {
  const path = await charged()
  for (const role of ['developer', 'bookkeeper', 'viewer'] as const) {
    const visitor = await signedIn(house, { role })
    const { text } = await visitor.get(path)
    assert.match(text, /An owner or someone from support can decide/, role)
    assert.equal((await visitor.post(`${path}/charge/do/accept`, { attempt: '1' })).status, 403, role)
  }
})
