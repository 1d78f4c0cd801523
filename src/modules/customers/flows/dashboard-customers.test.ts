import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { plainText } from '../../../../test/support/fields-in.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import { paidPayment, refund } from '../../../../test/support/refunds.ts'
import { lookUp, saveCard } from '../../../../test/support/saved-methods.ts'
import { actionsOf, signedIn, type Visitor } from '../../../../test/support/visitor.ts'

// Customers in the dashboard: one per e-mail address, from their payments to their wish to be forgotten.

const grace = { email: 'Grace@Example.org', first_name: 'Grace', last_name: 'Hópper' }
let house: House
let owner: Visitor
let home: string

before(async () => {
  house = await openHouse()
  owner = await come('owner')
  home = `/dashboard/${house.merchantId}/test`
  await createPayment(house, {
    ...grace,
    email: 'grace@example.org',
    tx_ref: 'grace-1',
    customization: { title: 'Blue chair' },
  })
  const paid = await paidPayment(house, 'good', { ...grace, tx_ref: 'grace-2' })
  await refund(house, paid, { amount: '4.00' })
  await createPayment(house, { tx_ref: 'ada-1' })
})
after(() => house.close())

async function come(role: 'owner' | 'support' | 'bookkeeper' | 'viewer'): Promise<Visitor> {
  return signedIn(house, { role })
}

const pageOf = (email: string): string => `${home}/customers/one?email=${encodeURIComponent(email)}`

test('the list has each customer once, whatever the case of the address', async () => {
  const { text } = await owner.get(`${home}/customers`)
  assert.equal(text.match(/class="row"/g)?.length, 2)
  assert.match(text, /Grace@Example\.org/)
  assert.doesNotMatch(text, /grace@example\.org</)
})

test('the page of a customer has payments, refunds and sums, and the payment leads to it', async () => {
  const { text, status } = await owner.get(pageOf('GRACE@example.ORG'))
  assert.equal(status, 200)
  for (const part of [/grace-1/, /grace-2/, /Blue chair/, /in 1 of 2 payments/, /Refunded/, /&#163;4\.00/])
    assert.match(text, part)
  assert.doesNotMatch(text, /ada-1/)
  const list = await owner.get(`${home}/payments?search=${encodeURIComponent('hopper')}`)
  const [, number = ''] = /payments\/(\d{24})/.exec(list.text) ?? []
  const payment = await owner.get(`${home}/payments/${number}`)
  assert.match(payment.text, /customers\/one\?email=/)
})

test('an address without payments, of the other mode or of no shape is not found', async () => {
  for (const path of [
    pageOf('nobody@example.org'),
    pageOf('grace'),
    pageOf(grace.email).replace('/test/', '/live/'),
  ])
    assert.equal((await owner.get(path)).status, 404, path)
})

test('roles without the right can look, and neither download nor erase', async () => {
  const viewer = await come('viewer')
  const { text, status } = await viewer.get(pageOf(grace.email))
  assert.equal(status, 200)
  assert.doesNotMatch(text, /Download all data|Erase customer/)
  const bookkeeper = await come('bookkeeper')
  assert.doesNotMatch((await bookkeeper.get(pageOf(grace.email))).text, /Erase customer/)
  for (const visitor of [viewer, bookkeeper])
    assert.equal((await visitor.post(`${home}/customers/one/erase`, { email: grace.email })).status, 403)
})

test('all data of a customer is downloaded, then erased, and nothing finds them any more', async () => {
  const file = await owner.post(`${home}/customers/one/do/export`, { email: grace.email })
  const data = JSON.parse(file.text) as { email: string; payments: unknown[] }
  assert.deepEqual([data.email, data.payments.length], [grace.email, 2])
  const sure = await owner.get(`${home}/customers/one/erase?email=${encodeURIComponent(grace.email)}`)
  assert.match(sure.text, /This can’t be undone|This can&#8217;t be undone/)
  const done = await owner.post(`${home}/customers/one/erase`, { email: grace.email })
  assert.deepEqual([done.status, done.to], [303, `${home}/customers`])
  assert.equal((await owner.get(pageOf(grace.email))).status, 404)
  assert.doesNotMatch((await owner.get(`${home}/customers`)).text, /Grace|erased@/)
  const actions = await actionsOf(house)
  assert.ok(actions.includes('customer.exported') && actions.includes('customer.erased'))
})

test('support charges a method by hand once, and ends it; bookkeepers see both and can do neither', async () => {
  const { id } = await saveCard(house, undefined, { customer_ref: 'by-hand', email: 'by.hand@example.com' })
  const [support, bookkeeper] = await Promise.all([come('support'), come('bookkeeper')])
  const path = `${home}/saved-methods/${id}`
  const customer = await bookkeeper.get(`${home}/customers/one?email=by.hand%40example.com`)
  assert.ok(customer.text.includes(`href="${path}"`), 'the customer’s page lists the method')
  assert.equal((await bookkeeper.get(path)).status, 200)
  for (const action of ['charge', 'end'])
    assert.equal((await bookkeeper.get(`${path}/${action}`)).status, 403, action)

  const fields = { tx_ref: 'by-hand-1', amount: '12,50', currency: 'GBP', description: 'Late fee' }
  const confirm = await support.fill(`${path}/charge`, fields)
  assert.match(plainText(confirm.text), /Charge £12\.50\?/)
  assert.equal((await house.db.query(sql`select from payments where tx_ref = 'by-hand-1'`)).length, 0)
  const [once, twice] = await Promise.all([
    support.post(`${path}/charge/do/confirm`, fields),
    support.post(`${path}/charge/do/confirm`, fields),
  ])
  assert.equal(once.status, 303, once.text)
  assert.equal(once.to, twice.to)
  assert.equal((await lookUp(house, 'by-hand-1')).status, 'success')
  const tooEarly = await support.post(`${path}/charge/do/confirm`, { ...fields, amount: '13' })
  assert.match(plainText(tooEarly.text), /tx_ref has been used before for another payment/)
  assert.equal((await support.post(`${path}/end`)).to, path)
  assert.match(plainText((await support.get(path)).text), /ended.*You ended it/)
  const acts = await house.db.query<{ action: string }>(sql`
    select action from audit_log where subject = ${id} and actor_kind = 'person' order by at`)
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['saved_method.charged', 'saved_method.ended'],
  )
})
