import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { listAudit } from '../../../core/audit/list-audit.ts'
import { createKey, rollKey } from '../../../core/merchants/change-keys.ts'
import { changeMerchant } from '../../../core/merchants/create-merchant.ts'
import { makeClock } from '../../../../test/support/clock.ts'
import { call, openHouse, post, type House } from '../../../../test/support/house.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import {
  findRefund,
  paidPayment,
  refund,
  refundIn,
  workOnRefunds,
  type Paid,
  refundingOf,
} from '../../../../test/support/refunds.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'

// Giving money back by the API, on the test network.

const clock = makeClock()
let house: House
before(async () => {
  house = await openHouse({ world: { now: clock.now }, settings: { RATE_LIMIT_BURST: '1000' } })
})
after(() => house.close())

type Shown = {
  status: string
  charge: string
  refunded?: string
  refunds?: { status: string; amount: string }[]
}

async function lookUp({ txRef }: Paid): Promise<Shown> {
  const answer = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  return answer.json.data
}

async function eventsOf({ number }: Paid): Promise<string[]> {
  const rows = await house.db.query<{ event: string }>(sql`
    select event from deliveries where number = ${number} and kind = 'ipn' order by created_at, id`)
  return rows.map(({ event }) => event)
}

test('a full refund goes back at once, and the payment is refunded', async () => {
  const payment = await paidPayment(house)
  const answer = await refund(house, payment, { refund_ref: 'all-1', reason: 'Came broken' })
  assert.equal(answer.status, 201, answer.text)
  const { history: _, ...shown } = await findRefund(house, 'all-1')
  assert.deepEqual(shown, refundIn(answer))
  assert.equal(shown.status, 'success')
  assert.equal(shown.amount, '10.00')
  const found = await lookUp(payment)
  assert.equal(found.status, 'refunded')
  assert.equal(found.refunded, '10.00')
  assert.deepEqual(found.refunds, [refundIn(answer)])
  assert.equal(found.charge, '0.34')
  assert.deepEqual((await eventsOf(payment)).toSorted(), [
    'payment.refunded',
    'payment.success',
    'refund.success',
  ])
})

test('partial refunds continue until nothing is left, and never exceed it', async () => {
  const payment = await paidPayment(house)
  assert.equal(refundIn(await refund(house, payment, { amount: '4.00' })).status, 'success')
  const partly = await lookUp(payment)
  assert.equal(partly.status, 'success')
  assert.equal(partly.refunded, '4.00')

  const tooMuch = await refund(house, payment, { amount: 6.01 })
  assert.equal(tooMuch.status, 409)
  assert.equal(tooMuch.json.code, 'more_than_left')
  assert.equal(tooMuch.json.message, 'Only 6.00 GBP of this payment is left to refund')

  assert.equal(refundIn(await refund(house, payment)).amount, '6.00')
  assert.equal((await lookUp(payment)).status, 'refunded')
  assert.equal((await refund(house, payment)).json.code, 'not_refundable')
  const listed = await call(`${house.url}/api/transaction/${payment.txRef}/refunds`, { key: house.secretKey })
  assert.deepEqual(
    (listed.json.data as { amount: string }[]).map(({ amount }) => amount),
    ['6.00', '4.00'],
  )
})

test('the same refund_ref returns the same refund, and another amount or transaction is refused', async () => {
  const payment = await paidPayment(house)
  const body = { refund_ref: 'again-1', amount: '3.00' }
  const first = await refund(house, payment, body)
  const second = await refund(house, payment, body)
  assert.equal(second.status, 200)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(refundIn(second), refundIn(first))
  assert.equal((await lookUp(payment)).refunded, '3.00')

  for (const changed of [{ amount: '3.01' }, { amount: undefined }]) {
    const other = await refund(house, payment, { ...body, ...changed })
    assert.equal(other.status, 409)
    assert.equal(other.json.code, 'refund_ref_taken')
  }
  const elsewhere = await refund(house, await paidPayment(house), body)
  assert.equal(elsewhere.json.code, 'refund_ref_taken')
})

test('a whole-number refund_ref is taken as all its digits', async () => {
  const payment = await paidPayment(house)
  const path = `${house.url}/api/transaction/${payment.txRef}/refund`
  const send = async (refundRef: string) =>
    call(path, {
      method: 'POST',
      key: house.secretKey,
      headers: { 'content-type': 'application/json' },
      body: `{"refund_ref": ${refundRef}, "amount": 1.10}`,
    })
  const made = await send('12345678901234567890')
  assert.equal(made.status, 201, made.text)
  assert.equal(refundIn(made).refund_ref, '12345678901234567890')
  assert.equal((await send('"12345678901234567890"')).headers.get('idempotency-replayed'), 'true')
  assert.equal((await send('12345678901234567891')).status, 201)
  const broken = await send('7.5')
  assert.equal(broken.json.message, 'refund_ref must be a string or a whole number')
})

test('an unpaid, unknown or other-mode payment can’t be refunded', async () => {
  const open = await createPayment(house)
  const unpaid = await refund(house, open)
  assert.equal(unpaid.json.code, 'not_refundable')
  assert.equal(unpaid.json.message, 'This payment is not paid, so there is nothing to refund')
  assert.equal((await refund(house, { txRef: 'nothing' })).status, 404)
  assert.equal((await refund(house, await paidPayment(house), {}, house.liveKey)).status, 404)
  const missing = await call(`${house.url}/api/refunds/none`, { key: house.secretKey })
  assert.equal(missing.status, 404)
  assert.equal((await eventsOf(open)).length, 0)
})

test('every broken rule in a body is reported, and nothing is done', async () => {
  const payment = await paidPayment(house)
  const path = `${house.url}/api/transaction/${payment.txRef}/refund`
  const bad = await post(path, { amount: '1.001', reason: 'Card 4242 4242 4242 4242' }, house.secretKey)
  assert.equal(bad.status, 400)
  assert.deepEqual(Object.keys(bad.json.errors ?? {}), ['refund_ref', 'amount', 'reason'])
  for (const amount of ['0', '-1', '1e3', '1,000.00', true, [1]])
    assert.equal((await refund(house, payment, { amount })).status, 400, String(amount))
  assert.equal((await refund(house, payment, { refund_ref: '..' })).status, 400)
  // With a name misspelt, or empty, all would go back.
  for (const mistake of [{ amout: '1.00' }, { amount: '' }, { amount: null }, { amount: {} }])
    assert.equal((await refund(house, payment, mistake)).status, 400, JSON.stringify(mistake))
  assert.equal((await refund(house, payment, { refund_ref: 'x'.repeat(256) })).status, 400)
  for (const refundRef of [5.5, true, [7]])
    assert.equal((await refund(house, payment, { refund_ref: refundRef })).status, 400, String(refundRef))
  assert.equal((await call(path, { method: 'POST', key: house.secretKey })).status, 400)
  assert.equal((await lookUp(payment)).refunds, undefined)
})

test('a card whose refund fails is never shown as refunded, and can be refunded again', async () => {
  const payment = await paidPayment(house, 'refundFails')
  const answer = await refund(house, payment, { refund_ref: 'fails-1' })
  assert.equal(refundIn(answer).status, 'submitted')
  // While it is unsure, its money is not there for another one.
  assert.equal((await refund(house, payment)).json.code, 'not_refundable')
  clock.jump(6_000)
  await workOnRefunds(refundingOf(house.app))
  const failed = await findRefund(house, 'fails-1')
  assert.equal(failed.status, 'failed')
  assert.equal(failed.failure, 'card_closed')
  assert.deepEqual(
    failed.history?.map(({ status }) => status),
    ['requested', 'submitted', 'failed'],
  )
  const found = await lookUp(payment)
  assert.equal(found.status, 'success')
  assert.equal(found.refunded, undefined)
  assert.deepEqual((await eventsOf(payment)).toSorted(), ['payment.success', 'refund.failed'])
  const mails = await house.db.query<{ body: string }>(sql`
    select body from deliveries where kind = 'mail' and target = 'merchant' and event = 'refund.failed'`)
  assert.equal(mails.length, 1)
  assert.match(
    mails[0]?.body ?? '',
    /"cameBack":false,"failure":"card_closed","amountMinor":"1000".*"fails-1"/,
  )
  assert.equal((await refund(house, payment)).status, 201)
})

test('an undecided network is asked until it has decided', async () => {
  const payment = await paidPayment(house, 'refundLater')
  await refund(house, payment, { refund_ref: 'later-1' })
  await workOnRefunds(refundingOf(house.app))
  assert.equal((await findRefund(house, 'later-1')).status, 'submitted')
  clock.jump(6_000)
  await workOnRefunds(refundingOf(house.app))
  assert.equal((await findRefund(house, 'later-1')).status, 'success')
  assert.equal((await lookUp(payment)).status, 'refunded')
})

test('a key without the refund right can do everything else, and so can its successor', async () => {
  const payment = await paidPayment(house)
  const request = { kind: 'secret', mode: 'test', name: 'till', mayRefund: false } as const
  const made = await createKey(house.db, house.merchantId, request)
  const rolled = await rollKey(house.db, house.merchantId, made.id, 24)
  for (const { key } of [made, rolled]) {
    const refused = await refund(house, payment, {}, key)
    assert.equal(refused.status, 403)
    assert.equal(refused.json.code, 'refund_not_allowed')
    assert.equal((await call(`${house.url}/api/transaction/${payment.txRef}`, { key })).status, 200)
    assert.equal((await call(`${house.url}/api/refunds`, { key })).status, 200)
  }
  assert.equal((await refund(house, payment)).status, 201)
})

test('the fee is returned in shares if the plan says so, and the charge stays unchanged', async () => {
  await changeMerchant(house.db, house.merchantId, { refundFees: true })
  const payment = await paidPayment(house)
  await waitUntil('the setting is known', async () => {
    return (await refundingOf(house.app).findMerchant(house.merchantId))?.refundFees === true
  })
  const fees = []
  for (const amount of ['3.33', '3.33', undefined])
    fees.push(refundIn(await refund(house, payment, { amount })).fee_returned)
  await changeMerchant(house.db, house.merchantId, { refundFees: false })
  assert.deepEqual(fees, ['0.11', '0.11', '0.12'])
  assert.equal((await lookUp(payment)).charge, '0.34')
})

test('the list pages through all refunds once, newest first, and can be filtered', async () => {
  const payment = await paidPayment(house)
  const refs = ['p-1', 'p-2', 'p-3', 'p-4', 'p-5']
  for (const refund_ref of refs) await refund(house, payment, { refund_ref, amount: '1.00' })
  const seen: string[] = []
  let url: string | null = `/api/refunds?tx_ref=${payment.txRef}&limit=2`
  while (url !== null) {
    const answer = await call(house.url + url, { key: house.secretKey })
    assert.equal(answer.status, 200, answer.text)
    const { data, links } = JSON.parse(answer.text) as {
      data: { refund_ref: string }[]
      links: { next: string | null }
    }
    seen.push(...data.map(({ refund_ref }) => refund_ref))
    url = links.next === null ? null : links.next.slice(new URL(links.next).origin.length)
  }
  assert.deepEqual(seen, refs.toReversed())
  const failed = await call(`${house.url}/api/refunds?tx_ref=${payment.txRef}&status=failed`, {
    key: house.secretKey,
  })
  assert.deepEqual(failed.json.data, [])
  for (const query of ['status=done', 'cursor=x', 'limit=0', 'colour=red'])
    assert.equal(
      (await call(`${house.url}/api/refunds?${query}`, { key: house.secretKey })).status,
      400,
      query,
    )
})

test('the list is also a file, with its filters, and formulas are defused', async () => {
  const payment = await paidPayment(house)
  await refund(house, payment, { refund_ref: 'csv-1', amount: '1.00', reason: '=1+1' })
  await refund(house, payment, { refund_ref: 'csv-2', amount: '2.50' })
  const file = await call(`${house.url}/api/refunds.csv?tx_ref=${payment.txRef}`, { key: house.secretKey })
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="refunds.csv"')
  const [names = [], ...rows] = readCsv(file.text)
  const shown = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])))
  assert.deepEqual(
    shown.map((row) => [row['refund_ref'], row['amount'], row['amount_minor'], row['reason'], row['status']]),
    [
      ['csv-2', '2.50', '250', '', 'success'],
      ['csv-1', '1.00', '100', "'=1+1", 'success'],
    ],
  )
  const odd = await call(`${house.url}/api/refunds.csv?limit=2`, { key: house.secretKey })
  assert.equal(odd.status, 400)
})

test('the requester of a refund is audited, once', async () => {
  const payment = await paidPayment(house)
  const body = { refund_ref: 'audited-1', amount: '2.00' }
  await refund(house, payment, body)
  await refund(house, payment, body)
  const filter = { since: undefined, until: undefined, action: undefined, subject: 'audited-1', limit: 10 }
  const entries = await listAudit(house.db, house.merchantId, filter)
  assert.equal(entries.length, 1)
  assert.equal(entries[0]?.action, 'refund.requested')
  assert.equal(entries[0]?.actor_kind, 'key')
})

test('the customer gets one mail per refund, with its amount and the reason', async () => {
  const payment = await paidPayment(house, 'good', { email: 'grace@example.com' })
  await refund(house, payment, { amount: '4.00', reason: 'One of two came broken' })
  await refund(house, payment)
  const all = await house.app.mailbox.list({ merchantId: house.merchantId, mode: 'test' })
  const mails = all.filter(({ to, event }) => to === 'grace@example.com' && event !== 'payment.success')
  assert.equal(mails.length, 2)
  const [rest = '', part = ''] = mails.map(({ text }) => text.replaceAll(/\s+/g, ' '))
  assert.ok(part.includes('£4.00 of your payment of £10.00'), part)
  assert.ok(part.includes('One of two came broken'))
  assert.ok(rest.includes('£6.00 of your payment') && !rest.includes('Reason'), rest)
})
